import { Box } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Mode } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { agoWords } from './ago_words.ts';
import { Icon } from './icon.tsx';
import { idTime, isByClock } from './id_time.ts';
import style from './moment.module.css';

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const times = {
  day: undefined,
  minute: new Intl.DateTimeFormat(undefined, clock),
  second: new Intl.DateTimeFormat(undefined, { ...clock, second: '2-digit' }),
  millisecond: new Intl.DateTimeFormat(undefined, { ...clock, second: '2-digit', fractionalSecondDigits: 3 }),
};
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const tickMs = 30_000;
/** The time in seconds, which goes on while something shows it. */
function useNow(isUsed: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1_000);
  useEffect(() => {
    if (!isUsed) return;
    const timer = setInterval(() => setNow(Date.now() / 1_000), tickMs);
    return () => clearInterval(timer);
  }, [isUsed]);
  return now;
}

const ByClock = createContext(false);

type MomentProps = {
  seconds: number;
  /** In logs, several things happen within a minute. */
  precision?: keyof typeof times;
  /** In lists: how long ago it was, if that is less than a day. */
  isRelative?: boolean;
  /** Of real time, also where the others are those of a test clock. */
  isReal?: boolean;
};

/**
 * `16 Nov, 13:01`, with the year if it is another one. On hover: the whole date with its zone, and UTC. Times of a test clock have its
 * icon. Narrow lists leave out what is in the span: the time of day, or today's date where the seconds count.
 */
export function Moment({ seconds, precision = 'minute', isRelative = false, isReal = false }: MomentProps) {
  const isMarked = useContext(ByClock) && !isReal;
  const now = useNow(isRelative);
  const ago = isRelative && !isMarked ? agoWords(seconds, now) : undefined;
  const date = new Date(seconds * 1_000);
  const short = date.getFullYear() === new Date().getFullYear() ? day : dayOfYear;
  const [shownDay, shownTime] = [short.format(date), times[precision]?.format(date)];
  const isTimeEnough =
    (precision === 'second' || precision === 'millisecond') && date.toDateString() === new Date().toDateString();
  const about = `${full.format(date)}\n${date.toISOString()}`;
  const time = (
    <time dateTime={date.toISOString()} title={isMarked ? `Time of a test clock\n${about}` : about}>
      {ago !== undefined ? (
        ago
      ) : isTimeEnough ? (
        <>
          <span>{shownDay}, </span>
          {shownTime}
        </>
      ) : (
        <>
          {shownDay}
          {shownTime && <span>, {shownTime}</span>}
        </>
      )}
    </time>
  );
  return isMarked ? <Marked>{time}</Marked> : time;
}

/** The icon stays on the line of its time. */
function Marked({ children }: { children: ReactNode }) {
  return (
    <span className="whole">
      <Box component="span" mr={4} style={{ verticalAlign: -1 }}>
        <Icon name="clocks" size={12} />
        <span className="visually-hidden">Test clock: </span>
      </Box>
      {children}
    </span>
  );
}

type Timed = { id: string; created: number };

/** There are clocks in test mode only. */
const hasClockTimes = (item: object, mode: Mode) => mode === 'test' && 'id' in item && isByClock(item as Timed);

/** Around what shows times of an object that may live in the time of a test clock. */
export function TimesOf({ item, children }: { item: object; children: ReactNode }) {
  const { mode } = useWorkspace();
  return <ByClock value={hasClockTimes(item, mode)}>{children}</ByClock>;
}

/** When an object with times of a test clock was really created; undefined of others. */
export function realMomentOf(item: object, mode: Mode): ReactNode {
  const real = hasClockTimes(item, mode) ? idTime((item as Timed).id) : undefined;
  return real === undefined ? undefined : <Moment seconds={real} isReal />;
}

type CreatedProps = { of: Timed; precision?: MomentProps['precision'] };

/** When an object was created: by its test clock, if it has one, and then in real time as well. */
export function Created({ of: item, precision = 'minute' }: CreatedProps) {
  const { mode } = useWorkspace();
  const real = realMomentOf(item, mode);
  const shown = <Moment seconds={item.created} precision={precision} isRelative={precision === 'minute'} />;
  if (real === undefined) return shown;
  return (
    <TimesOf item={item}>
      <span className={style.both} data-both>
        {shown}
        <span className={style.real}>real time: {real}</span>
      </span>
    </TimesOf>
  );
}
