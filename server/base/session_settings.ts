/**
 * The purpose of a connection. The server cancels reads that take too long, but no durable write: the outcome of a cancelled commit is
 * unknown. Relaxed writes (rate limits, the request log) may be lost when the database crashes.
 */
export type PoolUse = 'reads' | 'durable' | 'relaxed';

export type SessionSettings = Readonly<Record<string, string>>;

/**
 * The settings that code depends on, with the values that PostgreSQL shows for them. They are sent with each new connection, and so win
 * over postgresql.conf, the database, the role and DATABASE_URL, and no reload changes them.
 */
const common: SessionSettings = {
  client_min_messages: 'warning', // by a warning the server says that a standby does not have a change
  default_transaction_isolation: 'read committed',
  lock_timeout: '0',
  // How values are written as text, in both directions.
  array_nulls: 'on',
  bytea_output: 'hex',
  DateStyle: 'ISO, MDY',
  extra_float_digits: '1',
  IntervalStyle: 'postgres',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
};

const ofUse: Readonly<Record<PoolUse, SessionSettings>> = {
  reads: { statement_timeout: '18s', synchronous_commit: 'on' },
  durable: { statement_timeout: '0', synchronous_commit: 'on' },
  relaxed: { statement_timeout: '0', synchronous_commit: 'off' },
};

export function sessionSettings(use: PoolUse): SessionSettings {
  return { ...common, ...ofUse[use] };
}

/** Options for the server process: the operator's first, because the last value of a setting counts. */
export function startOptions(given: string, settings: SessionSettings): string {
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`);
  return [...(given.trim() === '' ? [] : [given.trim()]), ...ours].join(' ');
}
