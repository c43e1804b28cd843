"""Agents and learners by name: tables of our modules, entry points of installed packages, files."""

import pytest

from conftest import python
from stich.core.errors import StichError
from stich.core.registry import Registry, declared, load

METADATA = "Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n"
ENTRIES = """
[stich.agents]
echo = stranger:Echo
gone = no_such_module:Gone

[stich.learners]
copy = stranger:Copy
"""
STRANGER = """
from stich.agents.simple import RandomAgent
class Echo(RandomAgent):
    games = ("kuhn",)
class Copy: pass
"""


@pytest.fixture
def installed(tmp_path):
    """A folder as pip leaves it: a module, and the metadata that names it."""
    (tmp_path / "stranger-1.0.dist-info").mkdir()
    (tmp_path / "stranger-1.0.dist-info" / "METADATA").write_text(METADATA)
    (tmp_path / "stranger-1.0.dist-info" / "entry_points.txt").write_text(ENTRIES)
    (tmp_path / "stranger.py").write_text(STRANGER)
    return tmp_path


def test_an_installed_package_offers_agents(installed):
    code = f"""
import sys
sys.path.append({str(installed)!r})
import stich
from stich.agents import REGISTRY, agents_for, make_agent
kuhn, jass = stich.make("kuhn"), stich.make("jass")
print(type(make_agent("echo", kuhn)).__name__)
print("echo" in agents_for(kuhn), "echo" in agents_for(jass), "echo" in agents_for(kuhn, installed=False))
print("gone" in REGISTRY.names(), "gone" in REGISTRY.all())
for name in ("gone", "nobody"):
    try:
        make_agent(name, kuhn)
    except stich.StichError as error:
        print(error)
"""
    lines = python(code).splitlines()
    assert lines[:3] == ["Echo", "True False False", "True False"]
    assert lines[3] == "the agent gone cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"
    assert lines[4].startswith("kuhn has no agent 'nobody'; there are ")


def test_making_our_own_agents_leaves_the_path_alone():
    code = "import sys, stich; before = list(sys.path); from stich.agents import make_agent\n"
    code += "make_agent('rule', stich.make('jass')); print(sys.path == before)"
    assert python(code).strip() == "True"


def test_tables_are_read_without_importing_modules_that_have_none():
    code = "import sys; from stich.core.registry import declared; print(*declared('stich.learn', 'LEARNERS'))\n"
    code += "print('optuna' in sys.modules)"
    assert python(code).splitlines() == ["dmc dqn nfsp ppo", "False"]


def test_names_and_files(tmp_path):
    registry = Registry("agent", "stich.agents", "AGENTS", "stich.no_such_group")
    assert registry.names() == list(declared("stich.agents", "AGENTS"))
    with pytest.raises(StichError, match=r"there is no agent 'x'; there are .* and module:Class"):
        registry.find("x")
    file = tmp_path / "my_thing.py"
    file.write_text("class Thing: pass")
    assert registry.find(f"{file}:Thing") is load(f"{file}:Thing")
    file.write_text("1 / 0")
    assert load(f"{file}:Thing").__name__ == "Thing"  # loaded once
    (tmp_path / "broken.py").write_text("1 / 0")
    with pytest.raises(StichError, match="ZeroDivisionError: division by zero"):
        load(f"{tmp_path / 'broken.py'}:Thing")
