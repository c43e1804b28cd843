// The server's HTTP side.

async function ask(path, { body, token, method } = {}) {
  const headers = {};
  if (body) headers['content-type'] = 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(`api/${path}`, {
    method: method ?? (body ? 'POST' : 'GET'), headers, body: body && JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const detail = Array.isArray(told.detail) ? told.detail.map((one) => one.msg).join('; ') : told.detail;
    throw Object.assign(new Error(detail ?? `HTTP ${answer.status}`), { status: answer.status });
  }
  return told;
}

/** The variants of a family, each with what they have in common. */
function variantsOf({ variants, ...family }) {
  return variants.map((variant) => ({
    ...family, ...variant, options: family.options.map((one) => ({ ...one, value: variant.options[one.name] })),
  }));
}

let games = null;

/** All games by name; asked for once. */
export async function allGames() {
  games ??= ask('games');
  try {
    return new Map((await games).families.flatMap(variantsOf).map((game) => [game.name, game]));
  } catch (error) {
    games = null;
    throw error;
  }
}

/** The game of a name: that by which tables are made, or the one by which a table calls it. */
export function gameOf(all, name) {
  return all.get(name) ?? [...all.values()].find((game) => game.variant === name);
}

export const createTable = (wish) => ask('tables', { body: wish });
export const aboutTable = (table) => ask(`tables/${table}`);
export const joinTable = (table, wish) => ask(`tables/${table}/join`, { body: wish });
export const leaveTable = (table, token) => ask(`tables/${table}/leave`, { body: { token } });
export const finishedTables = (limit) => ask(`tables?status=finished&limit=${limit}`);
export const reportMove = (table, report) => ask(`tables/${table}/reports`, { body: report });
export const transcriptUrl = (table) => `api/tables/${table}/transcript`;

/** All moves of a finished game, page by page. */
export async function wholeReplay(table) {
  const found = await ask(`tables/${table}/replay`);
  while (found.steps.length < found.moves) {
    found.steps.push(...(await ask(`tables/${table}/replay?first=${found.steps.length}`)).steps);
  }
  return found;
}

/** The decisions of a seat from move `first` up to `end`, a few at a time; `each` hears of them as they come. */
export async function review(table, { seat, first = 0, end = Infinity, level, token }, each) {
  let next = first;
  while (next !== null && next < end) {
    const asked = `seat=${seat}&first=${next}&count=4${level ? `&level=${level}` : ''}`;
    const found = await ask(`tables/${table}/review?${asked}`, { token });
    each(found.decisions.filter((one) => one.number < end));
    next = found.next;
  }
}
