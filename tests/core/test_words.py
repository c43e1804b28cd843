"""Words: every fact, term, option and variant of every game has them in its languages, and none is left over."""

import random
import re
from collections import defaultdict
from pathlib import Path

import pytest

import stich
from stich.core import words as core
from stich.core.errors import StichError
from stich.core.faces import Face
from stich.core.facts import Fact, kind
from stich.core.words import Words, form, over, plain, readable, shared
from stich.games import families

FAMILIES = {family.name: family for family in families()}
LANGUAGES = {"en", "de"}
FRENCH = {"jass"}
OPTIONS = {
    "jass": [{"melds": "on"}, {"target": 300, "melds": "on", "multipliers": "on"}],
    "wizard": [{"players": 3, "wizard_turned": "dealer_chooses"}],
    "schnapsen": [{"claim": "chosen"}],
    "durak": [{"players": 3, "games": 2}, {"deck": 52, "players": 4}, {"quiet_limit": 1, "deck": 12, "hand": 3}],
    "cego": [{"deals": 3, "overcall": "on"}],
}
"""Options that show more of a game than its variants."""
MOVES = 5000
"""Of the first variant; of each other a fifth."""
TABLES = ("facts", "actions", "table", "terms", "questions", "piles", "seats")


def test_a_fact_is_a_value():
    fact = Fact("meld", seat=2, cards=["D10", "DA"])
    assert fact == Fact("meld", seat=2, cards=("D10", "DA"))
    assert len({fact, Fact("meld", seat=2, cards=("D10", "DA"))}) == 1
    assert fact.json() == {"fact": "meld", "seat": 2, "cards": ["D10", "DA"]}
    assert fact.get("seat") == 2
    assert repr(fact) == "Fact('meld', seat=2, cards=('D10', 'DA'))"


def test_the_name_of_a_value_says_what_it_is():
    names = ("seat", "other_seats", "card", "beaten_card", "cards", "count", "discard")
    assert [kind(name) for name in names] == ["seat", "seats", "card", "card", "cards", "", ""]


def test_a_word_has_forms_for_the_reader_and_for_one():
    entry = {"any": "{seat} wins {count} points", "one": "{seat} wins a point", "you": "You win {count}"}
    assert form(entry, Fact("won", seat=1, count=2), 0) == entry["any"]
    assert form(entry, Fact("won", seat=1, count=1), 0) == entry["one"]
    assert form(entry, Fact("won", seat=0, count=2), 0) == entry["you"]
    assert form(entry, Fact("won", seat=0, count=1), 0) == entry["you"]
    assert form({**entry, "you_one": "x"}, Fact("won", seat=0, count=1), 0) == "x"
    assert form(entry, Fact("won", seats=(0, 2), count=2), 2) == entry["you"]
    assert form(entry, Fact("won", count=2), None) == entry["any"]


def test_values_stand_where_the_word_says():
    tables = {"seats": ["North"], "facts": {"won": "{points:+} for {seat} and {other_seat}: {cards}, {mode}"}}
    words = Words("de", tables, {"HK": Face("hearts", "K"), "HQ": Face("hearts", "Q")})
    fact = Fact("won", points=3, seat=0, other_seat=5, cards=["HK", "HQ"], mode="hearts")
    assert plain(words.fact(fact)) == "+3 for North and Platz 5: ♥K ♥D, Herz"


def test_a_game_without_words_is_readable():
    words = Words("en", {}, {})
    assert words.fact(Fact("king_taken", seat=1, card="KH")) == "king taken Seat 1 KH"
    assert words.action(Fact("lay_down")) == "lay down"
    assert words.question("lay_down") == words.pile("lay_down") == words.term("lay_down") == "lay down"


def test_a_bad_file_of_words_is_named(tmp_path: Path):
    (tmp_path / "game.en.toml").write_text("[facts\n")
    with pytest.raises(StichError, match=r"game\.en\.toml is not a file of words"):
        core.own(tmp_path / "game.py", "en")


def test_a_single_file_has_its_words_beside_it(tmp_path: Path):
    (tmp_path / "game.en.toml").write_text('[actions]\nhit = "hit it"\nstay = "stay"\n')
    (tmp_path / "game.de.toml").write_text('[actions]\nhit = "hauen"\n')
    assert core.own(tmp_path / "game.py", "de")["actions"] == {"hit": "hauen", "stay": "stay"}


# Every game


class Noted(Words):
    """Words that note what they are asked for."""

    def __init__(self, game: stich.Game, language: str) -> None:
        super().__init__(language, own(game.family, language), game.spec.text.faces)
        self.asked: dict[str, set[str]] = defaultdict(set)

    def _entry(self, table, name):
        self.asked[table].add(name)
        return super()._entry(table, name)

    def seat(self, seat: int) -> str:
        self.asked["seats"].add("seats")
        return super().seat(seat)


def source(family) -> Path:
    return Path(family.module.__file__)


def own(family, language: str):
    return core.own(source(family), language)


def games_of(family):
    yield from (stich.make(variant.name) for variant in family.spec.variants)
    yield from (
        stich.make(family.spec.variants[0].name, **options) for options in OPTIONS.get(family.spec.name, [])
    )


@pytest.fixture(scope="module", params=FAMILIES)
def asked(request):
    """A game with all that random play asks of its words."""
    family = FAMILIES[request.param]
    found: dict[str, set[str]] = defaultdict(set)
    for number, game in enumerate(games_of(family)):
        words = Noted(game, "en")
        rng = random.Random(3)
        left = MOVES if number == 0 else MOVES // 5
        for seed in range(100):
            left -= walk(game, words, seed, rng)
            if left < 0:
                break
        for table, names in words.asked.items():
            found[table] |= names
    found["questions"] |= set() if found["questions"] else set(family.spec.phase_names)
    return family, found


def walk(game, words: Noted, seed: int, rng: random.Random) -> int:
    """One random game; every action is described, and now and then the table shown. Returns the moves."""
    state = game.new(seed)
    likes = [rng.random() ** 4 for _ in range(63)]  # so that some games have long bidding, others none
    page, show = game.spec.page, game.spec.text.show
    move = 0
    for move in range(600):
        if state.is_over:
            break
        view = state.view(state.player)
        for action in view.action_ids():
            words.action(view.describe(action))
        drawn = page.view(view.record, view.seat) if page else {}
        for fact in (drawn.get("trump"), *(score.get("note") for score in drawn.get("scores", ()))):
            if fact:
                words.fact(Fact(fact["fact"], **{key: value for key, value in fact.items() if key != "fact"}))
        for pile in [row["pile"] for row in drawn["rows"]] if drawn else view.piles():
            words.pile(pile)
        if "ask" in drawn:
            words.question(drawn["ask"])
        if show and (move + seed) % 5 == 0:
            show(view.record, view.seat, view.mask, words)
        seat = rng.randrange(game.seats)
        before = state.view(seat).array
        legal = state.action_ids()
        state.play(rng.choices(legal, [likes[action] for action in legal])[0])
        for fact in state.view(seat).news(before):
            words.fact(fact, seat)
    if show:
        show(state.record, None, 0, words)
    return move


def languages_of(family) -> set[str]:
    return LANGUAGES | ({"fr"} if family.spec.name in FRENCH else set())


def test_every_word_that_is_asked_for_is_there(asked):
    family, found = asked
    for language in languages_of(family):
        there = {**shared("en")}
        tables = core.read(core.words_file(source(family), language))
        for table in TABLES[:-1]:
            known = {*tables.get(table, {}), *there.get(table, {})}
            if table == "terms":
                known |= set(there["suits"])
            missing = {name for name in found[table] if name not in known}
            assert not missing, f"{family.spec.name}, {language}: [{table}] lacks {sorted(missing)}"
        assert not found["seats"] or "seats" in tables or "seats" not in own(family, "en")


def test_no_word_is_left_over(asked):
    family, found = asked
    tables = core.read(core.words_file(source(family), "en"))
    for table in TABLES[:-1]:
        spare = set(tables.get(table, {})) - found[table]
        assert not spare, f"{family.spec.name}: [{table}] has {sorted(spare)}, which nothing asks for"


@pytest.mark.parametrize("name", FAMILIES)
def test_options_and_variants_are_translated(name):
    family = FAMILIES[name]
    spec = family.spec
    for language in languages_of(family) - {"en"}:
        tables = core.read(core.words_file(source(family), language))
        assert {"title", "about"} <= set(tables)
        assert set(tables.get("variants", {})) == {variant.name for variant in spec.variants}
        assert set(tables.get("options", {})) == {option.name for option in spec.options}
        assert all(set(entry) == {"name", "doc"} for entry in tables.get("options", {}).values())
        choices = {choice for option in spec.options for choice in option.choices if not choice.isdigit()}
        assert set(tables.get("choices", {})) == choices - set(shared("en")["choices"])


@pytest.mark.parametrize("name", [*FAMILIES, "shared", "page", "terminal"])
def test_languages_agree(name):
    """The same words with the same values in every language; English may leave to the SPEC what is there."""
    package = Path(stich.__file__).parent
    if name in FAMILIES:
        home = source(FAMILIES[name])
        files = [core.words_file(home, language) for language in sorted(languages_of(FAMILIES[name]))]
    else:
        folder = {"shared": "core/languages", "page": "serve/words", "terminal": "cli/words"}[name]
        files = sorted((package / folder).glob("*.toml"))
        assert {file.stem for file in files} >= {"en", "de", "fr"}
    english = core.read(next(file for file in files if "en" in file.name.split(".")))
    for file in files:
        tables = core.read(file)
        for table in {*english, *tables} - {"title", "about", "variants", "options", "letters", "choices"}:
            assert shape(tables.get(table)) == shape(english.get(table)), f"{file}: {table}"


def shape(entry):
    """A word's forms and the values in it, whatever it says."""
    if isinstance(entry, dict) and "any" in entry and all(isinstance(text, str) for text in entry.values()):
        return frozenset(re.findall(r"\{\w+(?::\+)?\}", entry["any"]))
    if isinstance(entry, dict):
        return {key: shape(value) for key, value in entry.items()}
    return len(entry) if isinstance(entry, list) else frozenset(re.findall(r"\{\w+(?::\+)?\}", entry or ""))


def test_languages_fill_each_other_up():
    assert over({"a": {"x": 1}}, {"a": {"x": 2, "y": 3}, "b": 4}) == {"a": {"x": 1, "y": 3}, "b": 4}
    assert readable("go_on") == "go on"
    assert {"en", "de", "fr"} <= set(core.languages())
