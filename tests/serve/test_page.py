"""The page in a browser: games of all five kinds by clicks, on desktop and phone, with coach, review and reload."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)
expect = sync_api.expect

FLAGS = ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
READY = ".board:not(.busy) .place.legal, .board:not(.busy) .prompt .choice, dialog.deal-box"
MOVES = ".board:not(.busy) .place.legal, .board:not(.busy) .prompt:not(.final) .choice"
WAIT = 120_000
"""Milliseconds for what may have to be compiled first."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server process of its own with a database in a temporary folder."""
    folder = tmp_path_factory.mktemp("page")
    command = [sys.executable, "-m", "stich.cli", "serve", "--port", "0", "--set", "pace=0", "--set", "rate=0"]
    with subprocess.Popen(
        [*command, "--database", f"sqlite:///{folder}/stich.db"],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server says where it is"
        deadline = time.monotonic() + 60
        while not _ready(found[0]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield found[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)


def _ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ready").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


class Visit:
    """A browser tab of its own that notes every error, and plays."""

    def __init__(self, browser: Any, address: str, size: str = "desktop", **settings: str) -> None:
        self.address, self.troubles = address, list[str]()
        phone = size == "phone"
        self.context = browser.new_context(viewport=SIZES[size], has_touch=phone, locale="de-CH")
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.page.on("console", lambda m: self.troubles.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("requestfailed", lambda request: self.troubles.append(request.url))
        self.page.on(
            "response", lambda r: self.troubles.append(f"{r.status} {r.url}") if r.status >= 400 else None
        )
        quiet = {"motion": "off", "pause": "0", "name": "Anna", **settings}
        pairs = ",".join(f'"{name}":"{value}"' for name, value in quiet.items())
        self.page.add_init_script(
            f"if (!localStorage['stich.settings']) localStorage['stich.settings'] = '{{{pairs}}}'"
        )
        self.tap = "tap" if phone else "click"

    def __enter__(self) -> "Visit":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.context.close()
        if kind is None:
            assert self.troubles == []

    def start(self, variant: str, level: str = "random", **options: str) -> None:
        """Chooses a game in the lobby and sits down."""
        self.page.goto(self.address)
        self.page.click(f"[data-game={variant.split('.')[0]}]")
        self.page.check(f'[id="variant-{variant}"]')
        self.page.select_option("#strength", level)
        if options:
            self.page.click("#options-box summary")
        for name, value in options.items():
            field = self.page.locator(f"#option-{name}")
            field.select_option(value) if field.evaluate("f => f.tagName") == "SELECT" else field.fill(value)
            field.dispatch_event("change")
        self.page.click(".start")
        self.page.wait_for_selector(".own .hand")

    def wait(self) -> str:
        """Waits until something is asked of the player: `move`, `deal` or `over`."""
        self.page.wait_for_selector(READY)
        if self.page.locator("dialog.deal-box").count():
            return "deal"
        return "over" if self.page.locator(".final").count() else "move"

    def play(self, number: int) -> None:
        """Plays one of the moves that are offered, and waits until the page has it."""
        moves = self.page.locator(MOVES)
        before = self.shown()
        getattr(moves.nth(number % moves.count()), self.tap)()
        choice = self.page.locator("dialog.choice-box button").first
        self.page.wait_for_function(
            """n => document.querySelector('.choice-box, .deal-box')
              || +document.querySelector('.board').dataset.number > n""",
            arg=before,
        )
        if choice.count():
            choice.click()

    def shown(self) -> int:
        return int(self.page.locator(".board").get_attribute("data-number"))

    def finish(self) -> int:
        """Plays to the end of the game; how many deals ended before it."""
        deals = 0
        for number in range(1000):
            state = self.wait()
            if state == "over":
                return deals
            if state == "deal":
                deals += 1
                self.page.click("dialog.deal-box button.main")
            else:
                self.play(3 * number)
        raise AssertionError("the game does not end")


GAMES = {
    "jass": {},
    "schnapsen.deal": {},
    "wizard.round": {"round": "3"},
    "durak": {"deck": "16"},
    "cego": {"deals": "2"},
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("variant", GAMES)
def test_a_whole_game_by_clicks(chromium, address, variant, size):
    with Visit(chromium, address, size) as visit:
        page = visit.page
        visit.start(variant, **GAMES[variant])
        coached = reloaded = False
        for number in range(500):
            state = visit.wait()
            if state == "over":
                break
            if state == "deal":
                page.click("dialog.deal-box button.main")
                continue
            offered = page.locator(MOVES).count()
            if not coached and offered > 1:
                coached = True
                page.click("[data-tool=coach]")
                page.wait_for_selector(".values tbody tr")
                assert page.locator(".values tbody tr").count() > 1
                assert page.locator(".board .rating").count() == offered
            elif coached and not reloaded:
                reloaded = True
                before, hand = visit.shown(), page.locator(".hand .place").count()
                page.reload()
                visit.wait()
                assert (visit.shown(), page.locator(".hand .place").count()) == (before, hand)
            visit.play(5 * number)
        assert (coached, reloaded) == (True, True)
        page.click("[data-do=review]")
        page.wait_for_selector(".review[data-ready]")
        page.locator(".decisions button").first.click()
        expect(page.locator(".position .hand .place").first).to_be_visible()
        lost = [
            float(text.replace("−", "-").replace(",", "."))
            for text in page.locator(".decisions b").all_inner_texts()
        ]
        assert lost == sorted(lost)
        assert max(lost) <= 0
        page.click(".review [data-do=close]")
        page.click("[data-do=replay]")
        page.wait_for_selector(".replay .hand")
        assert page.locator(".felt .known.open").count() == page.locator(".felt .seat").count()


def test_lifted_cards_are_the_legal_ones_and_fit_the_screen(chromium, address):
    with Visit(chromium, address, "phone") as visit:
        visit.start("cego.solo")
        visit.wait()
        boxes = [card.bounding_box() for card in visit.page.locator(".hand .card").all()]
        assert len(boxes) == 11
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
        assert all(box["y"] + box["height"] <= 844 for box in boxes)
        table = visit.page.url.split("/table/")[1]
        token = visit.page.evaluate(f"JSON.parse(localStorage['stich.table.{table}']).token")
        headers = {"authorization": f"Bearer {token}"}
        legal: list[str] = []
        while len(legal) in (0, visit.page.locator(".hand .place").count()):  # all are legal for who leads
            if legal:
                visit.play(0)
                assert visit.wait() == "move"
            view = httpx.get(f"{address}/api/tables/{table}/state", headers=headers).json()["view"]
            legal = sorted(one["card"] for one in view["legal"])
        for lifted in (".hand .legal", ".hand [aria-disabled=false]", ".hand [aria-label$=', spielbar']"):
            cards = visit.page.locator(lifted).evaluate_all("all => all.map(one => one.dataset.card)")
            assert sorted(cards) == legal, lifted


def test_a_match_of_several_deals_is_reviewed_between_them(chromium, address):
    with Visit(chromium, address) as visit:
        page = visit.page
        visit.start("wizard", players="3", length="game")
        while visit.wait() == "move":
            visit.play(0)
        page.locator("dialog.deal-box button", has_text="Rückblick").click()
        page.wait_for_selector(".review[data-ready]")
        numbers = page.locator(".decisions button").evaluate_all("all => all.map(b => +b.dataset.number)")
        assert len(numbers) == 1, "with one card in hand only the bid is a decision"
        page.click(".review [data-do=close]")
        assert visit.wait() == "move"
        assert page.locator(".hand .place").count() == 2


def test_keys_languages_themes_and_help(chromium, address):
    with Visit(chromium, address, theme="dark") as visit:
        page = visit.page
        visit.start("jass")
        visit.wait()
        while page.locator(".prompt").count():
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            visit.wait()
            page.wait_for_timeout(50)
        page.keyboard.press("ArrowRight")
        label = page.evaluate("document.activeElement.ariaLabel")
        assert re.fullmatch(r"(Karo|Herz|Pik|Kreuz) (\d+|Bube|Dame|König|Ass), spielbar", label)
        before = visit.shown()
        page.keyboard.press("Enter")
        page.wait_for_function("n => +document.querySelector('.board').dataset.number > n", arg=before)
        visit.wait()
        assert page.locator("#live p").count() > 0
        while not page.locator("[data-tool=last]").is_enabled():
            visit.play(0)
            visit.wait()
        page.keyboard.press("l")
        expect(page.locator("dialog .lying")).to_have_count(4)
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(page.locator("dialog.help")).to_be_visible()
        page.keyboard.press("Escape")
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
        page.click("[data-tool=language]")
        visit.wait()
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.locator("[data-tool=coach]").inner_text() == "Coach"
        page.reload()
        visit.wait()
        assert page.locator("html").get_attribute("lang") == "en"


def test_a_third_language_needs_no_code(chromium, address):
    """French has files alone: for the page, for all cards and for Jass; other games stay English."""
    with Visit(chromium, address, language="fr") as visit:
        page = visit.page
        visit.start("jass")
        visit.wait()
        assert page.locator(".bar h1").inner_text() == "Jass (Chibre)"
        labels = page.locator(".hand .place").evaluate_all("all => all.map(one => one.ariaLabel)")
        card = r"(\d+|valet|dame|roi|as) de (carreau|cœur|pique|trèfle), (pas )?jouable"
        assert all(re.fullmatch(card, label) for label in labels), labels
        visit.finish()
        log = page.locator(".log li").all_inner_texts()
        assert any("fait la levée" in line or "fais la levée" in line for line in log), log
        assert any(line.startswith("La donne est finie") for line in log)


def test_a_friend_joins_by_the_link(chromium, address):
    with Visit(chromium, address) as host, Visit(chromium, address, "phone", name="Berta") as guest:
        host.page.goto(address)
        host.page.click("[data-game=schnapsen]")
        host.page.check('[id="variant-schnapsen.deal"]')
        host.page.click("#seats-box summary")
        host.page.select_option("#seat-1", "open")
        host.page.click(".start")
        host.page.click("[data-tool=share]")
        link = host.page.locator("dialog input").input_value()
        host.page.keyboard.press("Escape")
        guest.page.goto(link)
        guest.page.click(".join .start")
        guest.page.wait_for_selector(".own .hand")
        expect(host.page.locator(".felt .seat b")).to_have_text("Berta")
        both = {
            visit: visit.page.locator(".hand .place").evaluate_all("a => a.map(b => b.dataset.card)")
            for visit in (host, guest)
        }
        assert len(both[host]) == len(both[guest]) == 5
        assert not set(both[host]) & set(both[guest])
        for visit in (host, guest):
            shown = visit.page.evaluate(
                "[...document.querySelectorAll('.felt [data-card]')].map(b => b.dataset.card)"
            )
            other = both[guest if visit is host else host]
            assert not set(shown) & set(other)


def test_the_connection_comes_back_by_itself(chromium, address):
    with Visit(chromium, address) as visit:
        sockets: list[Any] = []

        def between(socket: Any) -> None:
            socket.connect_to_server()
            sockets.append(socket)

        visit.page.route_web_socket(re.compile("/socket$"), between)
        visit.start("jass")
        visit.wait()
        visit.play(0)
        visit.wait()
        sockets[0].close(code=1012)
        visit.page.wait_for_selector(".connection[data-state=offline]")
        visit.page.wait_for_selector(".connection[data-state=online]")
        assert len(sockets) == 2
        visit.finish()


def test_two_taps_where_the_player_wants_it(chromium, address):
    with Visit(chromium, address, "phone", tap="twice") as visit:
        visit.start("jass")
        visit.wait()
        before = visit.shown()
        move = visit.page.locator(MOVES).first
        move.tap()
        expect(visit.page.locator(".board .picked")).to_have_count(1)
        assert (visit.shown(), visit.page.locator(".board.busy").count()) == (before, 0)
        visit.play(0)
        assert visit.shown() > before


def test_replay_steps_download_and_report(chromium, address):
    with Visit(chromium, address) as visit:
        page = visit.page
        visit.start("schnapsen.micro")
        visit.finish()
        page.click("[data-do=replay]")
        page.wait_for_selector(".replay .hand")
        table = page.url.split("/replay/")[1].split("/")[0]
        moves = int(page.locator(".controls input").get_attribute("max"))
        page.click("[data-do=last]")
        assert page.locator(".controls input").input_value() == str(moves)
        page.click("[data-do=prev-trick]")
        assert int(page.locator(".controls input").input_value()) < moves
        page.click("[data-do=first]")
        page.keyboard.press("ArrowRight")
        assert page.locator(".controls input").input_value() == "1"
        with page.expect_download() as download:
            page.click("[data-do=download]")
        record = json.loads(Path(download.value.path()).read_text("utf-8"))
        assert (record["game"], len(record["steps"])) == ("schnapsen.micro", moves)
        page.click("[data-do=report]")
        page.fill("textarea", "why not the ace?")
        page.locator("dialog button.main").click()
        page.wait_for_selector(".toast")
        assert httpx.get(f"{address}/api/tables/{table}/reports").json()[0]["text"] == "why not the ace?"


def test_every_card_of_every_game_can_be_drawn(chromium, address):
    with Visit(chromium, address) as visit:
        visit.page.goto(address)
        visit.page.wait_for_selector(".tile")
        found = visit.page.evaluate(
            """async () => {
              const { allGames } = await import('./page/net/api.js');
              const { card } = await import('./page/draw/cards.js');
              const drawn = new Map();
              for (const game of (await allGames()).values()) for (const [code, face] of Object.entries(game.cards)) {
                const made = card(face, game.pack);
                drawn.set(game.family + code, [made.getAttribute('aria-label'), made.innerHTML]);
              }
              return [...drawn.values()];
            }"""
        )
        assert len(found) > 200
        assert all(name and "undefined" not in inner and "NaN" not in inner for name, inner in found)
