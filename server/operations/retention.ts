/** For how many days what nobody needs for ever is kept. */
export type Retention = {
  /** Events, with their deliveries and attempts. */
  eventDays: number;
  requestLogDays: number;
};

export const defaultRetention: Retention = { eventDays: 90, requestLogDays: 30 };
