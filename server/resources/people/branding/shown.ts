import { BriefCache } from '../../../base/brief_cache.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Documents } from '../../../documents/index.ts';
import type { Foundation } from '../../../operations/services.ts';
import { type Branding, logoPath, textColorOn } from './branding.ts';
import { findBranding, findLogo, type LogoFile } from './store.ts';

/** Who is paid, as pages for customers show it. All texts are plain, and must be escaped. */
export type ShownToCustomers = {
  /** The display name, or else the name of the account. */
  name: string;
  /** `path`: on this server. */
  logo?: { path: string; width: number; height: number };
  /** Behind buttons, and the text on it, as `#rrggbb`. Absent: the page's own. */
  colors?: { background: string; text: string };
  supportEmail?: string;
  /** Lines with `\n` between. */
  supportAddress?: string;
  statementDescriptor?: string;
  termsUrl?: string;
  privacyUrl?: string;
};

/** Who sells, as invoices and receipts say it. */
export type SellerDetails = {
  name: string;
  /** Lines with `\n` between. */
  address?: string;
  tax_id?: string;
  /** Lines with `\n` between. */
  footer?: string;
};

export type BrandingServices = {
  /** A change is known to all instances within a second. */
  brandingOf: (tenant: Tenant) => Promise<ShownToCustomers>;
  /** Whether there is a link to the terms, read anew: a change counts at once. */
  hasTerms: (tenant: Tenant) => Promise<boolean>;
  sellerOf: (tenant: Tenant) => Promise<SellerDetails>;
  /** The file of the logo, where there is one that mail programs can show: not in WebP. */
  logoFileOf: (tenant: Tenant) => Promise<Omit<LogoFile, 'account'> | undefined>;
};

declare module '../../../operations/services.ts' {
  interface ProvidedServices extends BrandingServices {
    documents: Documents;
  }
}

type BrandingSources = Pick<Foundation, 'directoryGraceMs'> & {
  reads: Pick<Reads, 'directory'>;
  clock: Pick<Clock, 'monotonic'>;
  accountName: (tenant: Tenant) => Promise<string>;
};

export function cachedBranding(sources: BrandingSources): BrandingServices {
  const { reads, clock, accountName, directoryGraceMs: staleMs } = sources;
  const cache = new BriefCache<Tenant, Branding | undefined>({ clock, keptMs: 800, staleMs, entriesMax: 10_000 });
  const logos = new BriefCache<string, Omit<LogoFile, 'account'> | undefined>({
    clock,
    keptMs: 10_000,
    entriesMax: 100,
  });
  const read = (tenant: Tenant) =>
    Promise.all([cache.get(tenant, () => findBranding(reads, tenant)), accountName(tenant)]);
  return {
    brandingOf: async (tenant) => shown(...(await read(tenant))),
    hasTerms: async (tenant) => ((await findBranding(reads, tenant))?.terms_url ?? null) !== null,
    sellerOf: async (tenant) => sellerIn(...(await read(tenant))),
    async logoFileOf(tenant) {
      const [branding] = await read(tenant);
      const name = branding?.logo?.name;
      return name === undefined || name.endsWith('.webp') ? undefined : logos.get(name, () => findLogo(reads, name));
    },
  };
}

function sellerIn(branding: Branding | undefined, accountName: string): SellerDetails {
  return {
    name: branding?.legal_name ?? branding?.display_name ?? accountName,
    ...(branding?.legal_address && { address: branding.legal_address }),
    ...(branding?.tax_id && { tax_id: branding.tax_id }),
    ...(branding?.document_footer && { footer: branding.document_footer }),
  };
}

function shown(branding: Branding | undefined, accountName: string): ShownToCustomers {
  if (branding === undefined) return { name: accountName };
  const { display_name, logo, color } = branding;
  return {
    name: display_name ?? accountName,
    ...(logo && { logo: { path: logoPath(logo.name), width: logo.width, height: logo.height } }),
    ...(color && { colors: { background: color, text: textColorOn(color) } }),
    ...(branding.support_email && { supportEmail: branding.support_email }),
    ...(branding.support_address && { supportAddress: branding.support_address }),
    ...(branding.statement_descriptor && { statementDescriptor: branding.statement_descriptor }),
    ...(branding.terms_url && { termsUrl: branding.terms_url }),
    ...(branding.privacy_url && { privacyUrl: branding.privacy_url }),
  };
}
