import type { Money } from '../base/money.ts';
import { isolated, isolatedName } from '../base/one_line.ts';
import type { DocumentTextKey } from './document_texts.ts';
import { documentText } from './document_wording.ts';
import { inEveryLocale } from './every_locale.ts';
import { dateIn, moneyIn, monthIn, numberIn, periodIn, type Recurrence } from './formats.ts';
import type { Locale } from './index.ts';
import { type MailTextKey, type MailTexts, mailEnglish } from './mail_texts.ts';
import * as translations from './mail_words/index.ts';
import type { TextKey } from './texts.ts';
import { type TextValues, Wording } from './words.ts';

export const mailLocales = inEveryLocale<MailTexts>(mailEnglish, translations, {
  ...mailEnglish,
  canceled: 'Subscription cancelled',
});

/** Who reads a mail, and in whose name it is written. */
export type MailReader = { locale: Locale; merchant: string };

/** The texts, amounts and dates of a mail, for its reader. */
export class MailWords {
  readonly #locale: Locale;
  readonly #merchant: string;
  readonly #pages: Wording;

  constructor({ locale, merchant }: MailReader) {
    this.#locale = locale;
    this.#merchant = merchant;
    this.#pages = new Wording(locale);
  }

  text(key: MailTextKey): string {
    const own: MailTexts = mailLocales[this.#locale.tag];
    return own[key] ?? mailEnglish[key];
  }

  /** A text of invoices and receipts. */
  document(key: DocumentTextKey): string {
    return documentText(this.#locale, key);
  }

  /** A text of the pages. */
  page(key: TextKey, values: TextValues = {}): string {
    const isolatedValues = Object.entries(values).map(([name, value]) => [name, this.value(value)]);
    return this.#pages.plain(key, Object.fromEntries(isolatedValues));
  }

  /** What a mail is about, and by whom: both stay whole in each language. */
  subject(about: string): string {
    return `${about} – ${isolatedName(this.#merchant, this.#locale.dir)}`;
  }

  /** Within a sentence or beside another text. What stands alone in a block is isolated there. */
  value(text: string): string {
    return isolated(text, this.#locale.dir);
  }

  money(money: Money): string {
    return moneyIn(this.#locale, money);
  }

  /** `€20.00 / month`. */
  price(money: Money, every: Recurrence): string {
    return `${this.money(money)} / ${periodIn(this.#locale, every)}`;
  }

  /** From one day to another, epoch seconds. */
  period({ start, end }: { start: number; end: number }): string {
    return `${this.date(start)} – ${this.date(end)}`;
  }

  /** Epoch seconds. */
  date(seconds: number): string {
    return dateIn(this.#locale, seconds * 1_000);
  }

  month(month: { year: number; month: number }): string {
    return monthIn(this.#locale, month);
  }

  number(value: number): string {
    return numberIn(this.#locale, value);
  }
}
