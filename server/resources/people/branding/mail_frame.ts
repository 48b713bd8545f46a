import type { Locale } from '../../../locales/index.ts';
import { Wording } from '../../../locales/words.ts';
import type { MailFrame } from '../../../mail/message.ts';
import type { ShownToCustomers } from './shown.ts';

export type MailLogo = NonNullable<MailFrame['logo']>;

/** What every mail of an account to its customers has. `logo`: where its picture is sent along. */
export function mailFrameOf(
  branding: ShownToCustomers,
  { locale, isTest, logo }: { locale: Locale; isTest: boolean; logo?: MailLogo | undefined },
): MailFrame {
  const words = new Wording(locale);
  const { name, colors, supportEmail, supportAddress, termsUrl, privacyUrl } = branding;
  return {
    language: locale.tag,
    direction: locale.dir,
    sender: name,
    links: [
      ...(termsUrl === undefined ? [] : [{ text: words.plain('terms'), url: termsUrl }]),
      ...(privacyUrl === undefined ? [] : [{ text: words.plain('privacy'), url: privacyUrl }]),
    ],
    ...(isTest && { notice: words.plain('test_mode') }),
    ...(logo && { logo }),
    ...(colors && { colors }),
    ...(supportEmail !== undefined && { supportEmail }),
    ...(supportAddress !== undefined && { supportAddress }),
  };
}

/** That of mails to people who work with the gateway, whatever account they are about. */
export const peopleFrame: MailFrame = { language: 'en', direction: 'ltr', sender: 'Tollgate', links: [] };
