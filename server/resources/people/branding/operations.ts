import { assert } from '../../../base/errors.ts';
import { type Image, ImageRefused, readImage } from '../../../base/images/read_image.ts';
import { formOfAddress } from '../../../base/web_address.ts';
import { callerAccount } from '../../../operations/caller.ts';
import { apiError } from '../../../operations/errors.ts';
import { type Context, type Input, operation } from '../../../operations/operation.ts';
import type { AccountId } from '../accounts/account.ts';
import { type Branding, type BrandingFields, fieldsOf, logoOf, unset } from './branding.ts';
import { BrandingInput, BrandingOutput, logoLimits, serializeBranding } from './schema.ts';
import { addLogo, findBranding, removeLogo, saveBranding } from './store.ts';

type WantedBranding = Input<typeof BrandingInput, 'clear'>;

const retrieve = operation({
  home: 'directory',
  callers: ['person', 'operator'],
  name: 'branding.retrieve',
  summary: 'Retrieve the branding',
  description: 'Returns how the account shows itself to those who pay it. It is the same in both modes.',
  route: 'GET /branding',
  output: BrandingOutput,
  async run({ reads, tenant, publicUrl }) {
    const found = await findBranding(reads, tenant);
    return { result: serializeBranding(found ?? unset, publicUrl()) };
  },
});

const update = operation({
  home: 'directory',
  callers: ['person', 'operator'],
  name: 'branding.update',
  summary: 'Update the branding',
  description:
    'Changes only what it names, for both modes; null or an empty string removes it. Pages show a change within a second. Only owners can do this.',
  route: 'POST /branding',
  right: 'people',
  input: BrandingInput,
  nulls: 'clear',
  output: BrandingOutput,
  check: checkTexts,
  alsoChanges: () => 'branding',
  async run(context, { logo: file, ...wanted }) {
    const account = accountOf(context);
    const before = await findBranding(context.reads, context.tenant);
    const image = typeof file === 'string' ? await imageOf(file) : file;
    const fields: BrandingFields = { ...(before ? fieldsOf(before) : unset), ...wanted };
    if (image !== undefined) fields.logo = image && logoOf(account, image);
    const result = serializeBranding(fields, context.publicUrl());
    const changes = changedFields(before ?? unset, fields);
    if (changes.length === 0) return { result };
    const after: Branding = { account, version: (before?.version ?? 0) + 1, ...fields };
    const pick = (all: BrandingFields) => Object.fromEntries(changes.map((name) => [name, all[name]]));
    const details = { from: pick(before ?? unset), to: pick(fields) };
    return {
      result,
      objectId: account,
      writes: [saveBranding(after), ...(changes.includes('logo') ? logoWrites(account, before, fields, image) : [])],
      audit: [{ action: 'branding.updated', subject: account, details }],
    };
  },
});

function accountOf({ caller }: Context): AccountId {
  const account = callerAccount(caller);
  assert(account !== null, 'a person or an operator acts for an account here');
  return account as AccountId;
}

function changedFields(before: BrandingFields, after: BrandingFields): (keyof BrandingFields)[] {
  const isChanged = (name: keyof BrandingFields) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return (Object.keys(unset) as (keyof BrandingFields)[]).filter(isChanged);
}

/** The file of the logo before is gone with it: no page shows it any more. */
function logoWrites(
  account: AccountId,
  before: BrandingFields | undefined,
  { logo }: BrandingFields,
  image: Image | null | undefined,
) {
  return [
    ...(before?.logo ? [removeLogo(before.logo.name)] : []),
    ...(logo && image ? [addLogo({ account, name: logo.name, type: image.type, bytes: image.bytes })] : []),
  ];
}

async function imageOf(base64: string): Promise<Image> {
  const refused = (reason: string) => apiError('parameter_invalid', { param: 'logo', reason });
  const file = Buffer.from(base64, 'base64');
  // The decoder skips what is no base64: what it has read is written again, and compared.
  if (file.toString('base64') !== base64)
    throw refused('it must be the file in base64, without a prefix and line breaks');
  try {
    return await readImage(file, logoLimits);
  } catch (error) {
    if (error instanceof ImageRefused) throw refused(error.message);
    throw error;
  }
}

/** Control characters, and those that turn the direction of what stands beside them. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const linesMaxOf = { support_address: 6, legal_address: 6, document_footer: 4 };
const descriptorForm = /^(?=.*[A-Za-z])[A-Za-z0-9 .,&/+_#-]{5,22}$/;

function isText(text: string, linesMax: number): boolean {
  const lines = text.split('\n');
  return lines.length <= linesMax && text.trim() !== '' && !lines.some((line) => unprintable.test(line));
}

function checkTexts(wanted: WantedBranding): void {
  const { statement_descriptor } = wanted;
  const refuse = (param: string, reason: string) => {
    throw apiError('parameter_invalid', { param, reason });
  };
  for (const param of ['display_name', 'legal_name', 'tax_id'] as const)
    if (wanted[param] && !isText(wanted[param], 1)) refuse(param, 'it must be one line of text, and not blank');
  for (const [param, linesMax] of Object.entries(linesMaxOf) as [keyof typeof linesMaxOf, number][])
    if (wanted[param] && !isText(wanted[param], linesMax))
      refuse(param, `it must be text of at most ${linesMax} lines, and not blank`);
  if (statement_descriptor && (!descriptorForm.test(statement_descriptor) || statement_descriptor.trim() === ''))
    refuse('statement_descriptor', 'it must be 5 to 22 letters, digits, spaces and . , & / + _ # -, with a letter');
  for (const param of ['terms_url', 'privacy_url'] as const) {
    const form = wanted[param] ? formOfAddress(wanted[param], { isLocal: false }) : undefined;
    if (form !== undefined) refuse(param, `it must be an https address${form}`);
  }
}

export const brandingOperations = [retrieve, update];
