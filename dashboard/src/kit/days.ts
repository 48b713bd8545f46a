const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;
const day = /^(\d{4})-(\d\d)-(\d\d)$/;

/** An instant for an address: the minute, in UTC. */
export function instantOf(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 16)}Z`;
}

/** `2026-11-16`, here. */
export function dayOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** Whether a text is a day of the calendar, or an instant. */
export function isDay(text: string): boolean {
  return startOf(text, 0) !== undefined;
}

/** When a day begins here, some days later; or an instant. Undefined if it is neither: 2026-02-30 does not become a day in March. */
export function startOf(text: string | undefined, daysLater: number): number | undefined {
  if (text !== undefined && instant.test(text)) return Math.floor(Date.parse(text) / 1_000) || undefined;
  const [, ...parts] = day.exec(text ?? '') ?? [];
  if (parts.length === 0) return undefined;
  const [year, month, date] = parts.map(Number) as [number, number, number];
  const begin = new Date(year, month - 1, date);
  if (begin.getMonth() !== month - 1 || begin.getDate() !== date) return undefined;
  return Math.floor(new Date(year, month - 1, date + daysLater).getTime() / 1_000);
}

/** An instant is shown in the zone of the browser, as the moments of the list are. */
export function shownDay(text: string | undefined): string | undefined {
  if (text === undefined || !instant.test(text)) return text;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
