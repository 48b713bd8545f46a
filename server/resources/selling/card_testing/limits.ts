import type { CardTestingLimits } from '../../people/accounts/card_testing.ts';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const tenMinutesMs = 10 * minuteMs;
/** A try without an outcome counts as a decline for so long: calls of a processor end within it. */
export const openMs = minuteMs;
/** Of fewer tries in ten minutes, a share says nothing. */
export const shareOfMin = 50;
/** The newest tries of ten minutes that a share is computed from: the cost of a look has a limit. */
export const shareOfMax = 5_000;
/** How long every card is to be authenticated after an alarm. */
export const alarmMs = hourMs;

/** The limit that refuses a try. */
export type RefusedBy = Exclude<keyof CardTestingLimits, 'decline_share' | 'in_test_mode'>;

/** `until`: when another try may pass, epoch milliseconds; undefined for a session that takes no more tries. */
export type TryRefusal = { why: RefusedBy; until: number | undefined };

/**
 * What is known about a try. The times are epoch milliseconds, the newest first, and no more of them are read than the limit that they are
 * compared with.
 */
export type Facts = {
  /** Declines of the address within an hour. */
  declines: readonly number[];
  /** Tries of the address that have no outcome yet. */
  open: number;
  /** When the card was last tried in other sessions, within an hour. */
  cardSessions: readonly number[];
  /** When the address last used other sessions of the link, within ten minutes. */
  linkSessions: readonly number[];
};

/** Why a try is refused; undefined if it may be made. */
export function refusalOf(limits: CardTestingLimits, facts: Facts, now: number): TryRefusal | undefined {
  return (
    byWindow('declines_per_address', limits, facts.declines, hourMs) ??
    byOpenTries(limits, facts, now) ??
    cardRefusalOf(limits, facts) ??
    byWindow('sessions_per_link_address', limits, facts.linkSessions, tenMinutesMs)
  );
}

/** Why a card may not be tried. */
export function cardRefusalOf(
  limits: CardTestingLimits,
  { cardSessions }: Pick<Facts, 'cardSessions'>,
): TryRefusal | undefined {
  return byWindow('sessions_per_card', limits, cardSessions, hourMs);
}

/** A limit is used up until the oldest of as many times as it allows leaves the window. */
function byWindow(
  why: RefusedBy,
  limits: CardTestingLimits,
  times: readonly number[],
  windowMs: number,
): TryRefusal | undefined {
  const limit = limits[why];
  const oldest = limit === 0 ? undefined : times[limit - 1];
  return oldest === undefined ? undefined : { why, until: oldest + windowMs };
}

/** Each of them may become a decline, so that many tries at the same moment find no more than the limit. */
function byOpenTries(limits: CardTestingLimits, { declines, open }: Facts, now: number): TryRefusal | undefined {
  const limit = limits.declines_per_address;
  if (limit === 0 || declines.length + open < limit) return undefined;
  return { why: 'declines_per_address', until: now + openMs };
}

/** A session that was declined so often takes no more tries, in test mode as well. */
export function isSessionUsedUp(limits: Pick<CardTestingLimits, 'declines_per_session'>, declines: number): boolean {
  return limits.declines_per_session > 0 && declines >= limits.declines_per_session;
}

/** The tries of ten minutes that have an outcome, and how many of them were declined. */
export type DeclineShare = { tries: number; declined: number };

export function isSuspicious({ decline_share }: CardTestingLimits, { tries, declined }: DeclineShare): boolean {
  return decline_share > 0 && tries >= shareOfMin && declined * 100 > decline_share * tries;
}
