// The C++ twin of Stich's random play of Jass: a yardstick of speed and a cross-check of results.
//
// It mirrors kernels.random_rounds and games/jass function by function: the same state is written, the same
// generator is drawn from in the same order, so sums, moves and the final generator agree bit for bit.
// Melds and Stöck are left out: the state has their switches and the rules test them, but they must be off.
//
//   g++ -O3 -march=native -std=c++17 jass_twin.cpp -o jass_twin
//   jass_twin ROUNDS A B        (A and B: the generator's two words, decimal)

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#ifdef __BMI2__
#include <immintrin.h>
#endif

using u8 = std::uint8_t;
using u64 = std::uint64_t;

struct Rng { u64 a, b; };

static inline u64 rotate(u64 x, int k) { return x << k | x >> (64 - k); }
static inline u64 next64(Rng& rng) {  // xoroshiro128++
    u64 s0 = rng.a, s1 = rng.b;
    u64 result = rotate(s0 + s1, 17) + s0;
    s1 ^= s0;
    rng.a = rotate(s0, 49) ^ s1 ^ s1 << 21;
    rng.b = rotate(s1, 28);
    return result;
}

static inline u64 below(Rng& rng, u64 n) { return (next64(rng) >> 32) * n >> 32; }

static inline u64 nth(u64 mask, u64 k) {
#ifdef __BMI2__
    return _pdep_u64(u64(1) << k, mask);
#else
    for (; k > 0; k--) mask &= mask - 1;
    return mask & -mask;
#endif
}

static inline int random_action(u64 mask, Rng& rng) {
    return __builtin_ctzll(nth(mask, below(rng, __builtin_popcountll(mask))));
}

// Cards and their tables, as in cards.py.

enum { KING = 1, QUEEN = 2, JACK = 3, OBE = 4, UNE = 5, NO_BAR = 36 };
static const u64 ALL = (u64(1) << 36) - 1;

static struct Tables {
    u64 suit[6] = {}, buur[6] = {}, higher[37] = {};
    std::int64_t value[6][36] = {}, power[6][4][36] = {}, factor[6] = {1, 1, 2, 2, 3, 3};

    Tables() {
        const int order[9] = {6, 5, 4, 8, 3, 7, 2, 1, 0};  // of trumps: jack and nine on top
        const int plain[9] = {11, 4, 3, 2, 10, 0, 0, 0, 0};
        const int trump[9] = {11, 4, 3, 20, 10, 14, 0, 0, 0};
        const int obe[9] = {11, 4, 3, 2, 10, 0, 8, 0, 0};
        const int une[9] = {0, 4, 3, 2, 10, 0, 8, 0, 11};
        for (int s = 0; s < 4; s++) suit[s] = u64(0x1FF) << 9 * s, buur[s] = u64(1) << (9 * s + JACK);
        higher[NO_BAR] = ALL;
        for (int card = 0; card < 36; card++) {
            int s = card / 9, column = card % 9;
            for (int other = 0; other < 9; other++)
                if (order[other] > order[column]) higher[card] |= u64(1) << (9 * s + other);
            for (int mode = 0; mode < 6; mode++) {
                const int* values = mode == OBE ? obe : mode == UNE ? une : mode == s ? trump : plain;
                value[mode][card] = values[column];
                power[mode][s][card] = 1 + (mode == UNE ? column : 8 - column);
                for (int lead = 0; lead < 4 && mode == s; lead++) power[mode][lead][card] = 10 + order[column];
            }
        }
    }
} T;

// The state and the rules, as in games/jass/__init__.py.

enum { TRUMP, PARTNER, MELD, PLAY };  // phases
enum { MODE_0 = 36, PUSH = 42, NOBODY = 4, HIGHEST = 0, JASSKIT = 1 };

struct State {
    u64 hands[4], voids[4], shown[4], played;
    Rng rng;
    std::int32_t score[2];
    std::int16_t points[2], bonus[2];
    std::uint16_t target;
    u8 plays[36], leads[10];
    u8 phase, mode, turn, cards, lead, winner, power, bar, pot, tricks, won[2], pair, dealer, declarer;
    u8 pushed, round, over, first;
    u8 rounds, undertrump, melds, stoeck, match_bonus, multipliers;  // options, with target
};

// Stands where Stich has code for an option that the twin lacks, so that the test for the option remains.
[[noreturn, gnu::cold, gnu::noinline]] static void unsupported() {
    std::fputs("the twin plays neither melds nor Stöck\n", stderr);
    std::exit(1);
}

static inline void begin_trick(State& s) {
    s.leads[s.tricks] = s.turn;
    s.cards = s.lead = s.power = s.pot = 0;
    s.winner = s.turn;
    s.bar = NO_BAR;
}

static void deal_cards(State& s, Rng& rng) {
    u64 left = ALL, count = 36;
    for (int seat = 0; seat < 3; seat++) {
        u64 before = left;
        for (int i = 0; i < 9; i++) left ^= nth(left, below(rng, count--));
        s.hands[seat] = before ^ left;
    }
    s.hands[3] = left;
}

static void begin_round(State& s) {
    for (int seat = 0; seat < 4; seat++) s.voids[seat] = s.shown[seat] = 0;
    for (int team = 0; team < 2; team++) s.points[team] = s.bonus[team] = s.won[team] = 0;
    for (u8& card : s.plays) card = 0;
    for (u8& seat : s.leads) seat = 0;
    s.played = 0;
    s.mode = s.tricks = s.pushed = 0;
    s.phase = TRUMP;
    s.turn = (s.dealer + 3) & 3;
    s.pair = s.declarer = NOBODY;
    begin_trick(s);
}

static void deal(State& s, Rng& rng) {
    s.score[0] = s.score[1] = 0;
    s.round = s.over = s.first = 0;
    s.dealer = below(rng, 4);
    s.rng = {0, 0};
    if (s.target > 0 || s.rounds > 1) s.rng = {next64(rng), next64(rng) | 1};  // braces: in this order
    deal_cards(s, rng);
    begin_round(s);
}

static inline u64 legal(const State& s) {
    if (s.phase != PLAY) {
        if (s.phase == MELD) unsupported();
        return u64(0x3F) << MODE_0 | (s.phase == TRUMP ? u64(1) << PUSH : 0);
    }
    u64 hand = s.hands[s.turn];
    if (s.cards == 0) return hand;
    u64 follow = hand & T.suit[s.lead], trumps = hand & T.suit[s.mode];
    if (s.lead == s.mode) return follow & ~T.buur[s.mode] ? follow : hand;  // a Buur alone is not forced
    u64 rest = hand & ~trumps;
    if (rest == 0) return hand;  // nothing but trumps: any of them
    return (follow ? follow : rest) | (trumps & T.higher[s.bar]);
}

static inline int total(const State& s, int team) {
    int factor = s.multipliers ? T.factor[s.mode] : 1;
    return s.score[team] + factor * (s.points[team] + s.bonus[team]);
}

static inline void check_target(State& s, int team) {
    if (s.target == 0 || s.over || total(s, team) < s.target) return;
    if (s.stoeck) unsupported();
    s.over = 1;
    s.first = team;
}

static void end_round(State& s) {
    for (int team = 0; team < 2; team++) s.score[team] = total(s, team);
    s.round++;
    s.over = s.target == 0 && s.round >= s.rounds;
    if (s.over) return;
    s.dealer = (s.dealer + 3) & 3;
    deal_cards(s, s.rng);
    begin_round(s);
}

static void end_trick(State& s) {
    int team = s.winner & 1;
    s.turn = s.winner;
    s.tricks++;
    if (s.melds && s.tricks == 1) unsupported();
    s.won[team]++;
    s.points[team] += s.pot;
    if (s.tricks == 9) {
        s.points[team] += 5;
        if (s.match_bonus && s.won[team] == 9) s.bonus[team] += 100;
    }
    check_target(s, team);
    begin_trick(s);
    if (s.tricks == 9 && !s.over) end_round(s);
}

static void choose(State& s, int a) {
    if (a == PUSH) {
        s.pushed = 1;
        s.phase = PARTNER;
        s.turn = (s.turn + 2) & 3;
    } else {
        s.mode = a - MODE_0;
        s.declarer = s.turn;
        s.turn = (s.dealer + 3) & 3;
        s.phase = s.melds ? MELD : PLAY;
    }
}

// What a card of another suit than the led one shows, and the new bar for trumps.
static inline void off_suit(State& s, int seat, int suit, int a) {
    if (suit != s.mode) {
        s.voids[seat] |= T.suit[s.lead] & ~(s.lead == s.mode ? T.buur[s.mode] : 0);
    } else if (s.bar == NO_BAR) {
        s.bar = a;
    } else if (!(T.higher[s.bar] >> a & 1)) {  // below the bar: only a hand of nothing but trumps may
        s.voids[seat] |= ALL & ~T.suit[s.mode];
        if (s.undertrump == JASSKIT && a > s.bar) s.bar = a;
    } else if (s.undertrump == HIGHEST || a > s.bar) {
        s.bar = a;
    }
}

static inline void apply(State& s, int a) {
    if (s.phase != PLAY) return choose(s, a);
    int seat = s.turn, mode = s.mode, suit = a / 9;
    s.plays[4 * s.tricks + s.cards] = a;
    s.hands[seat] &= ~(u64(1) << a);
    s.played |= u64(1) << a;
    s.pot += T.value[mode][a];
    if (s.cards == 0) s.lead = suit;
    else if (suit != s.lead) off_suit(s, seat, suit, a);
    int power = T.power[mode][s.lead][a];
    if (power > s.power) s.power = power, s.winner = seat;
    if (s.stoeck && suit == mode && (a == 9 * mode + KING || a == 9 * mode + QUEEN)) unsupported();
    if (++s.cards == 4) return end_trick(s);
    s.turn = (seat + 3) & 3;
    if (s.melds && s.tricks == 0) s.phase = MELD;
}

struct Totals { u64 moves; double sums[4], squares[4]; };

[[gnu::noinline]] static Totals random_rounds(State& s, u64 count, Rng& generator) {
    Totals t = {};
    Rng rng = generator;  // a local copy can live in registers
    for (u64 i = 0; i < count; i++) {
        deal(s, rng);
        for (; !s.over; t.moves++) apply(s, random_action(legal(s), rng));
        for (int seat = 0; seat < 4; seat++) {
            double result = s.target > 0 ? (seat & 1) == s.first : s.score[seat & 1];
            t.sums[seat] += result;
            t.squares[seat] += result * result;
        }
    }
    generator = rng;
    return t;
}

int main(int argc, char** argv) {
    if (argc != 4) return std::fputs("usage: jass_twin ROUNDS A B\n", stderr), 2;
    u64 rounds = std::strtoull(argv[1], nullptr, 10);
    Rng rng = {std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10)};

    // Volatile, so that the compiler cannot know the options and drop the branches that Stich has to take.
    volatile u8 off = 0, one = 1;
    static State s;
    s.rounds = one, s.target = off, s.undertrump = off;
    s.melds = off, s.stoeck = off, s.match_bonus = off, s.multipliers = off;

    Rng copy = rng;
    random_rounds(s, 1000, copy);  // warms up caches and predictors

    auto start = std::chrono::steady_clock::now();
    Totals t = random_rounds(s, rounds, rng);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("{\"rounds\":%" PRIu64 ",\"moves\":%" PRIu64 ",\"seconds\":%.9f,\"sums\":[%.0f,%.0f,%.0f,%.0f],"
                "\"a\":%" PRIu64 ",\"b\":%" PRIu64 "}\n",
                rounds, t.moves, seconds, t.sums[0], t.sums[1], t.sums[2], t.sums[3], rng.a, rng.b);
}
