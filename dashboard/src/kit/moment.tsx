const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const times = {
  minute: new Intl.DateTimeFormat(undefined, clock),
  second: new Intl.DateTimeFormat(undefined, { ...clock, second: '2-digit' }),
  millisecond: new Intl.DateTimeFormat(undefined, { ...clock, second: '2-digit', fractionalSecondDigits: 3 }),
};
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

type MomentProps = {
  seconds: number;
  /** In logs, several things happen within a minute. */
  precision?: keyof typeof times;
};

/**
 * `16 Nov, 13:01`, with the year if it is another one. On hover: the whole date with its zone, and UTC. Narrow lists leave out what is in
 * the span: the time of day, or the day where the seconds count.
 */
export function Moment({ seconds, precision = 'minute' }: MomentProps) {
  const date = new Date(seconds * 1_000);
  const short = date.getFullYear() === new Date().getFullYear() ? day : dayOfYear;
  const [shownDay, shownTime] = [short.format(date), times[precision].format(date)];
  return (
    <time dateTime={date.toISOString()} title={`${full.format(date)}\n${date.toISOString()}`}>
      {precision === 'minute' ? (
        <>
          {shownDay}
          <span>, {shownTime}</span>
        </>
      ) : (
        <>
          <span>{shownDay}, </span>
          {shownTime}
        </>
      )}
    </time>
  );
}
