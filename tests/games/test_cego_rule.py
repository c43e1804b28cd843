"""The rule-based player of Cego: what it bids, and that it beats random players in every sub-game and role."""

import numpy as np
import pytest
from numba import njit

import stich
from conftest import run
from stich.core.contract import apply, deal, hide, is_over, legal, player, returns, rule
from stich.core.kernels import random_action, rule_all
from stich.core.rng import stream, streams
from stich.games.cego.cards import CARDS
from stich.games.cego.state import PLAY, ULTIMO

STRONG = "1-trump 5-trump 6-trump 7-trump 8-trump 9-trump 17-trump 18-trump"


@njit(nogil=True, error_model="numpy")
def play(states, rngs, rulers, out, faults):
    """Games in which the seats of a mask play by the rules, on their hidden views, and the others at random."""
    s = states[0]
    for i in range(len(out)):
        deal(s, rngs[i])
        while not is_over(s):
            me = np.int64(player(s))
            mask = legal(s)
            if rulers >> me & 1:
                states[1] = states[0]
                hide(states[1], me)
                a = rule(states[1], rngs[i])
                faults[0] += not mask >> a & 1
                early = s.mode == ULTIMO and s.phase == PLAY and me == s.single and a == 32
                faults[1] += early and mask != 1 << 32 and s.tricks < 10
            else:
                a = random_action(mask, rngs[i])
            apply(s, a)
        returns(s, out[i])


def results(variant, rulers, count=3000, **options):
    game = stich.make(variant, **options)
    out, faults = np.zeros((count, 4)), np.zeros(2, np.int64)
    play(np.repeat(game.template, 2), streams(count, 3, "rule"), rulers, out, faults)
    assert faults.tolist() == [0, 0]  # never illegal, and never the 1 of trumps before it must
    return out


@pytest.mark.parametrize(
    ("mode", "attack", "random", "defence"),
    [
        ("standard", 43.5, 40.795, 34.5),
        ("solo", 51.5, 48.996, 41.5),
        ("ultimo", 0.90, 0.0842, 0.072),
        ("bettel", 0.80, 0.73081, 0.52),
        ("piccolo", 0.48, 0.39275, 0.16),
        ("raeuber", 0.82, 0.73848, 0.62),
    ],
)
def test_rules_beat_random_on_both_sides(mode, attack, random, defence):
    """The single player's mean: rules against random above `attack`, random against rules below `defence`."""
    heuristic = "off" if mode == "raeuber" else "on"
    strong = results(f"cego.{mode}", 0b0001, heuristic=heuristic)[:, 0]
    weak = results(f"cego.{mode}", 0b1110, heuristic=heuristic)[:, 0]
    assert strong.mean() - 2.6 * strong.std() / len(strong) ** 0.5 > random
    assert strong.mean() > attack
    assert weak.mean() < defence < random


def test_rules_gain_game_points_at_a_random_table():
    gained = results("cego", 0b0001, 4000)[:, 0] - results("cego", 0b0001, 4000)[:, 1:].mean(1)
    assert gained.mean() - 2.6 * gained.std() / len(gained) ** 0.5 > 0


def said(hand, before="", dealer=3):
    """What the rules say with a hand at seat 0 after some bids."""
    own = hand.split()
    rest = [card for card in CARDS if card not in own]
    while len(own) < 11:
        own.append(rest.pop(0))
    hands = [own, rest[:11], rest[11:22], rest[22:33]]
    state = stich.make("cego").setup({"hands": hands, "blind": rest[33:], "dealer": dealer})
    for action in before.split():
        state.play(action)
    assert state.player == 0
    out = np.zeros(1, np.int64)
    rule_all(state.view(0).array, stream(1, "x"), out)
    return state.action_name(int(out[0]))


def test_ultimo_comes_before_solo_and_solo_before_the_rest():
    assert said(STRONG + " 7-c 8-c 9-c") == "ultimo"
    assert said(STRONG.replace("1-trump", "2-trump", 1) + " 7-c 8-c 9-c") == "solo"
    assert said("2-trump 3-trump 4-trump 7-c 8-c 9-c 10-c 7-s 8-s 9-s 10-s") == "pass"


def test_bettel_with_low_cards_and_piccolo_with_one_high_card():
    fort = "pass pass pass pass"
    low = "7-c 8-c 7-s 8-s 4-h 3-h 4-d 3-d 2-trump 3-trump"
    assert said(f"{low} 9-c", fort) == "bettel"
    assert said(f"{low} d-c", fort) == "piccolo"
    assert said("k-c k-s k-h 7-c 8-c 7-s 8-s 4-h 3-h 4-d 3-d", fort) == "pass"


def test_levels_follow_the_value_of_the_hand():
    fort = "pass pass pass pass pass pass pass pass"
    fifteen = "k-c k-s k-h 7-c 8-c 7-s 8-s 4-h 3-h 2-trump 3-trump"  # 13.5 + 4 = 17.5
    assert said(fifteen, f"{fort} bid") == "selber"  # Halbe wants 17
    poor = "k-c k-s 9-c 7-c 8-c 7-s 8-s 4-h 3-h 2-trump 3-trump"  # 13.5
    assert said(poor, f"{fort} bid") == "pass"
    assert said(poor, f"{fort} pass pass pass") == "raeuber"
    assert said(fifteen, f"{fort} pass pass pass") == "bid"


def test_gegensolo_wants_more():
    eighteen = "k-c k-s k-h 7-c 8-c 7-s 8-s 4-h 3-h 2-trump b-h"  # 13.5 + 1.5 + 3.5 = 18.5
    assert said(eighteen, "solo pass pass", dealer=0) == "gegensolo"
    assert said(eighteen.replace("b-h", "2-h"), "solo pass pass", dealer=0) == "pass"  # 17.5


def test_a_whole_game_against_rule_bots_is_played_in_the_terminal():
    done = run("play", "cego", "--seed", "5", stdin="1\n" * 80)
    assert done.returncode == 0
    assert "The game is over" in done.stdout
