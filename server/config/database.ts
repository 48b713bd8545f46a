import { DatabaseUrlError, parseDatabaseUrl } from '../base/database_url.ts';
import { choiceSetting, type Setting, type SettingsReader, type TextSetting } from '../base/setting.ts';

const databaseUrl: Setting = {
  name: 'DATABASE_URL',
  meaning:
    'Your own PostgreSQL, 15 or newer: `postgres://user:password@host/database`. [Its parameters, and several hosts](operations.md#settings-in-database_url).',
};

const embeddedPostgres = choiceSetting({
  name: 'TOLLGATE_EMBEDDED_POSTGRES',
  choices: ['yes', 'no'],
  default: { serve: 'no', otherwise: 'yes' },
  meaning: 'Whether to run the embedded PostgreSQL if `DATABASE_URL` is unset.',
});

export const dataDirectory: TextSetting = {
  name: 'TOLLGATE_DATA_DIR',
  default: '.tollgate',
  meaning: 'The directory of the embedded PostgreSQL, the local certificate and the development key.',
};

export const databaseSettings = [databaseUrl, embeddedPostgres, dataDirectory];

export function readDatabase(reader: SettingsReader): { kind: 'embedded' } | { kind: 'url'; url: string } {
  const url = reader.given(databaseUrl);
  const isEmbedded = reader.choice(embeddedPostgres) === 'yes';
  if (url !== undefined) {
    checkDatabaseUrl(reader, url);
    return { kind: 'url', url };
  }
  if (!isEmbedded)
    reader.problem(
      'DATABASE_URL is missing: set it to a PostgreSQL database (postgres://user:password@host/database), or set TOLLGATE_EMBEDDED_POSTGRES=yes to run one in TOLLGATE_DATA_DIR.',
    );
  return { kind: 'embedded' };
}

function checkDatabaseUrl(reader: SettingsReader, url: string): void {
  try {
    const { target } = parseDatabaseUrl(url);
    if (reader.purpose !== 'command' && (target === 'standby' || target === 'read-only'))
      reader.problem(
        `DATABASE_URL has target_session_attrs=${target}, but a server makes changes: use read-write, primary or prefer-standby.`,
      );
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    reader.problem(`DATABASE_URL ${error.message}.`);
  }
}
