import type { PortalSettings, PortalSettingsUpdateParameters } from '@tollgate/node';

/** What the form has. */
export type PortalFields = Omit<PortalSettings, 'object' | 'url'>;
export type PortalSwitch = {
  [Name in keyof PortalFields]: PortalFields[Name] extends boolean ? Name : never;
}[keyof PortalFields];

export const pricesMax = 20;

export function settingsOf({ object: _, url: __, ...fields }: PortalSettings): PortalFields {
  return fields;
}

/** What differs from what is stored; undefined where nothing does. */
export function changesOf(stored: PortalSettings, fields: PortalFields): PortalSettingsUpdateParameters | undefined {
  const before = settingsOf(stored);
  const names = Object.keys(before) as (keyof PortalFields)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(fields[name]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, fields[name]]));
}
