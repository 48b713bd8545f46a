import { save, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type PortalSettings, portalDefaults } from '../../../operations/portal_settings.ts';

/** What an account has chosen is stored, and the rest follows the defaults of the release. */
export type StoredSettings = { tenant: Tenant; version: number; settings: Partial<PortalSettings> };

const settingsTable: Table<StoredSettings> = table('portal_settings', {
  int4: 'tenant version',
  json: 'settings',
  key: ['tenant'],
});

export type PortalSettingsOf = (tenant: Tenant) => Promise<PortalSettings>;

export async function findStored(reads: Pick<Reads, 'rows'>, tenant: Tenant): Promise<StoredSettings | undefined> {
  const [row] = await reads.rows<StoredSettings>(
    'select tenant, version, settings from portal_settings where tenant = $1',
    [tenant],
  );
  return row;
}

export const saveSettings = (settings: StoredSettings): Write => save(settingsTable, settings);

export function portalSettingsReader(reads: Pick<Reads, 'rows'>): PortalSettingsOf {
  return async (tenant) => ({ ...portalDefaults, ...(await findStored(reads, tenant))?.settings });
}
