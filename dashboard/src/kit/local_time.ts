/** A moment in the time zone of the browser, to the minute, as an input of type datetime-local has it. */
export function localMinute(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The other way round; undefined if it is no moment. */
export function secondsOf(local: string): number | undefined {
  const seconds = Math.floor(new Date(local).getTime() / 1_000);
  return Number.isNaN(seconds) ? undefined : seconds;
}
