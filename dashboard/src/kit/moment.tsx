const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const minute = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** `16 Nov, 13:01`, with the year if it is another one. On hover: the whole date with its zone, and UTC. */
export function Moment({ seconds }: { seconds: number }) {
  const date = new Date(seconds * 1_000);
  const short = date.getFullYear() === new Date().getFullYear() ? day : dayOfYear;
  return (
    <time dateTime={date.toISOString()} title={`${full.format(date)}\n${date.toISOString()}`}>
      {short.format(date)}
      <span>, {minute.format(date)}</span>
    </time>
  );
}
