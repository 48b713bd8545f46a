/**
 * Where the tables are on a cluster that do not follow from their columns. All others with a tenant are distributed by it, and those without
 * one stay in the directory.
 */

/** They name tenants, but belong to the directory: they are how a tenant is found, or what tests script for all of them. */
export const directoryTables: readonly string[] = [
  'tenants',
  'api_keys',
  'api_key_uses',
  'reset_requests',
  'simulator_faults',
];

/** Each place has one of its own, with rows about the place. They do not move along: a place that arrives begins with new ones. */
export const placeTables: readonly string[] = ['ledger_sealer', 'search_position'];

/**
 * Each server has one for all of its places, which see their own tenants' rows of it: it is unlogged, and a group with an unlogged table
 * cannot be moved while it is used. Rows are of no use after a time.
 */
export const nodeTables: readonly { name: string; expiry: string }[] = [{ name: 'vault_cvcs', expiry: 'expires_at' }];

/**
 * Tables that the directory and the places both have: which of the rows of one PostgreSQL go to the directory when its tables are
 * distributed, and which to the places. Some are copied to both, where a retry may look in either.
 */
export const sharedTables: Readonly<Record<string, { directory: string; places: string }>> = {
  audit: { directory: 'tenant is null', places: 'tenant is not null' },
  // What a retry looks up depends on its operation, which the row does not tell. Both forget it within a day.
  idempotency: { directory: 'true', places: 'tenant <> 0' },
  used_signatures: { directory: 'true', places: 'tenant <> 0' },
  person_mails: {
    directory: `kind not in ('needs_attention', 'portal_code')`,
    places: `kind in ('needs_attention', 'portal_code')`,
  },
};

/** The schema of the directory's own tables where `public` has those of tenants. */
export const directorySchema = 'directory';
/** What all places of a server share. */
export const nodeSchema = 'local';
