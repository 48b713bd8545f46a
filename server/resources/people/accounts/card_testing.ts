/** The limits against the testing of stolen cards at the checkout. 0 switches a limit off. */
export type CardTestingLimits = {
  /** Declines after which a session expires. */
  declines_per_session: number;
  /** Per hour. */
  declines_per_address: number;
  /** Sessions in which one card is tried, per hour. */
  sessions_per_card: number;
  /** Sessions of one payment link, per ten minutes. */
  sessions_per_link_address: number;
  /** Per cent of the tries of ten minutes. */
  decline_share: number;
  /** In test mode, the limit per session applies alone unless this is true. */
  in_test_mode: boolean;
};

export const cardTestingDefaults: CardTestingLimits = {
  declines_per_session: 5,
  declines_per_address: 10,
  sessions_per_card: 3,
  sessions_per_link_address: 10,
  decline_share: 60,
  in_test_mode: false,
};

/** What an account has changed is stored, and the rest follows the defaults of the release. */
export function limitsWith(changed: Partial<CardTestingLimits>): CardTestingLimits {
  return { ...cardTestingDefaults, ...changed };
}
