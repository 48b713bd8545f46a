import { documentEnglish, documentTextKeys } from '../server/locales/document_texts.ts';
import { documentLocales } from '../server/locales/document_wording.ts';
import { locales, localeTags } from '../server/locales/index.ts';
import { mailEnglish, mailTextKeys } from '../server/locales/mail_texts.ts';
import { mailLocales } from '../server/locales/mail_wording.ts';
import { portalEnglish, portalTextKeys } from '../server/locales/portal_texts.ts';
import { portalLocales } from '../server/locales/portal_wording.ts';
import { english, textKeys } from '../server/locales/texts.ts';

const introduction = `<!--
group: Developers
position: 95
question: In which languages do customers see the pages of Tollgate, and in which words?
words: translations, languages, i18n, localization, internationalization
-->

# Locales

<!-- Made from server/locales by \`npm run generate\`. Edit the files there, not this one. -->

The pages for customers are shown in the language of the session, or in the first language of the browser that is listed here, or in
English. Amounts, dates and periods are written by \`Intl\` for the region of the customer. If you speak one of these languages, please read
its tables: the texts stand beside the English ones. A name in braces is filled in. After the texts of the pages come those of
[invoices and receipts](invoices.md#as-pdf), those of [the customer portal](customer-portal.md), and those of mails, which are in the
\`locale\` of the customer.
`;

/** Each locale beside the English. */
export function localesMarkdown(): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const others = localeTags.filter((tag) => tag !== 'en');
  const sections = others.map((tag) => `## ${names.of(tag)}: ${tag}\n\n${tableOf(tag)}\n`);
  return [introduction, ...sections].join('\n');
}

function tableOf(tag: (typeof localeTags)[number]): string {
  const rows = [
    ...rowsOf(textKeys, english, locales[tag]),
    ...rowsOf(documentTextKeys, documentEnglish, documentLocales[tag]),
    ...rowsOf(portalTextKeys, portalEnglish, portalLocales[tag]),
    ...rowsOf(mailTextKeys, mailEnglish, mailLocales[tag]),
  ];
  return [`| en | ${tag} |`, '|---|---|', ...rows].join('\n');
}

type Texts = Readonly<Record<string, string>>;

function rowsOf(keys: readonly string[], inEnglish: Texts, own: Texts): string[] {
  return keys.map((key) => `| ${inEnglish[key]} | ${own[key] ?? '(missing)'} |`);
}
