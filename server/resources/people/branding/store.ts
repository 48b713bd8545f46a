import { type DirectoryWrite, discard, insert, save, type Table, table } from '../../../base/commit/index.ts';
import type { ImageType } from '../../../base/images/read_image.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { tenantsTable } from '../../../operations/tenants.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Branding } from './branding.ts';

const brandingTable: Table<Branding, 'directory'> = table('branding', {
  home: 'directory',
  text: `account display_name color support_email support_address statement_descriptor terms_url privacy_url
    legal_name legal_address tax_id document_footer`,
  int4: 'version',
  json: 'logo',
  key: ['account'],
});

export type LogoFile = { account: AccountId; name: string; type: ImageType; bytes: Buffer };

const logosTable: Table<LogoFile, 'directory'> = table('logos', {
  home: 'directory',
  text: 'account name type',
  bytea: 'bytes',
  key: ['name'],
});

const columns = brandingTable.columns.map((column) => `b.${column}`).join(', ');

export async function findBranding(reads: Pick<Reads, 'directory'>, tenant: Tenant): Promise<Branding | undefined> {
  const [row] = await reads.directory.rows<Branding>(
    `select ${columns} from ${tenantsTable} t join branding b on b.account = t.account where t.tenant = $1`,
    [tenant],
  );
  return row;
}

export async function findLogo(
  reads: Pick<Reads, 'directory'>,
  name: string,
): Promise<Omit<LogoFile, 'account'> | undefined> {
  const [row] = await reads.directory.rows<LogoFile>('select name, type, bytes from logos where name = $1', [name]);
  return row;
}

export const saveBranding = (branding: Branding): DirectoryWrite => save(brandingTable, branding);
export const addLogo = (logo: LogoFile): DirectoryWrite => insert(logosTable, logo);
export const removeLogo = (name: string): DirectoryWrite => discard(logosTable, { name });
