import type { Tenant } from '../../../base/reads.ts';
import { type LocaleTag, localeOf } from '../../../locales/index.ts';
import type { MailFrame } from '../../../mail/message.ts';
import type { InlineAttachment } from '../../../mail/outgoing.ts';
import { mailFrameOf } from '../../people/branding/mail_frame.ts';
import type { BrandingServices, ShownToCustomers } from '../../people/branding/shown.ts';

const logoId = 'logo';
const logoBytesMax = 32_768; // a larger one weighs more than everything else in a mail

type Framed = { frame: MailFrame; branding: ShownToCustomers; attachments: readonly InlineAttachment[] };

type FrameOptions = { language: LocaleTag; isTest: boolean; logoIs: 'attached' | 'within' };

/** What surrounds a mail of an account, as the account shows itself now. A mail that is sent has its logo attached; one that is shown, within. */
export async function frameOf(
  { brandingOf, logoFileOf }: Pick<BrandingServices, 'brandingOf' | 'logoFileOf'>,
  tenant: Tenant,
  { language, isTest, logoIs }: FrameOptions,
): Promise<Framed> {
  const [branding, found] = await Promise.all([brandingOf(tenant), logoFileOf(tenant)]);
  const file = branding.logo && found && found.bytes.length <= logoBytesMax ? found : undefined;
  const isAttached = logoIs === 'attached';
  const logo = file && {
    src: isAttached ? `cid:${logoId}` : `data:${file.type};base64,${file.bytes.toString('base64')}`,
    width: branding.logo!.width,
    height: branding.logo!.height,
  };
  return {
    branding,
    frame: mailFrameOf(branding, { locale: localeOf(language), isTest, logo }),
    // Within the mail: a picture on a server would say when the mail is read.
    attachments: file && isAttached ? [{ contentId: logoId, ...file }] : [],
  };
}
