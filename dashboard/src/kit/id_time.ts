// In the order of the ids: see base/id.ts of the server.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** When an id was made, in epoch seconds of real time: ids begin with it. Undefined if it is no id. */
export function idTime(id: string): number | undefined {
  const [, digits] = /^[a-z]+_([0-9A-Za-z]{8})[0-9A-Za-z]{14}$/.exec(id) ?? [];
  if (digits === undefined) return undefined;
  const milliseconds = [...digits].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
  return Math.floor(milliseconds / 1_000);
}

/** An object may take a moment to be made. A clock that is so near to real time confuses nobody. */
const toleranceSeconds = 90;

/** Whether the times of an object are those of a test clock: it says so, or was created at another time than its id was made. */
export function isByClock(item: { id: string; created?: number; test_clock?: unknown }): boolean {
  if (item.test_clock !== undefined) return true;
  const real = idTime(item.id);
  return real !== undefined && item.created !== undefined && Math.abs(item.created - real) > toleranceSeconds;
}
