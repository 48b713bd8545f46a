import { escapeHtml } from '../../../base/page.ts';
import type { TextKey } from '../../../locales/texts.ts';
import type { Wording } from '../../../locales/words.ts';
import type { FieldName, ShownProblem } from './view.ts';

export type FieldParts = {
  name: FieldName;
  label: TextKey;
  type?: 'text' | 'email' | 'tel';
  autocomplete: string;
  inputmode?: 'numeric' | 'text' | 'email' | 'tel';
  maxlength: number;
  value?: string | undefined;
  placeholder?: string;
  isRequired?: boolean;
  /** Digits and addresses are written from left to right, whatever the direction of the page is. */
  isLatin?: boolean;
};

/** Makes the fields of a form, each with its label and what is wrong with it. */
export class FieldMaker {
  readonly #words: Wording;
  readonly #problems: readonly ShownProblem[];

  constructor(words: Wording, problems: readonly ShownProblem[]) {
    this.#words = words;
    this.#problems = problems;
  }

  input(field: FieldParts): string {
    const { name, label, type = 'text', autocomplete, inputmode, maxlength, value = '', placeholder } = field;
    const attributes = [
      `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxlength}"`,
      inputmode === undefined ? '' : `inputmode="${inputmode}"`,
      field.isLatin === true ? 'dir="ltr" spellcheck="false" autocapitalize="off"' : '',
      placeholder === undefined ? '' : `placeholder="${escapeHtml(placeholder)}"`,
      value === '' ? '' : `value="${escapeHtml(value)}"`,
      field.isRequired === false ? '' : 'required',
      this.#attributes(name),
    ];
    return this.row(name, label, `<input ${attributes.filter(Boolean).join(' ')}>`);
  }

  select(name: FieldName, label: TextKey, autocomplete: string, options: string): string {
    const attributes = `id="${name}" name="${name}" autocomplete="${autocomplete}" required ${this.#attributes(name)}`;
    return this.row(name, label, `<select ${attributes.trim()}>${options}</select>`);
  }

  /** `link` leads to what is agreed to. */
  checkbox(name: FieldName | 'save', label: string, isRequired: boolean, link = ''): string {
    const attributes = `id="${name}" name="${name}" type="checkbox" value="yes"${isRequired ? ' required' : ''}`;
    const problem = name === 'save' ? '' : this.problem(name);
    const described = name === 'save' ? '' : this.#attributes(name);
    return `<div class="check"><input ${attributes} ${described}><label for="${name}">${label}</label>${link}${problem}</div>`;
  }

  /** Ties a field to what is wrong with it. */
  #attributes(name: FieldName): string {
    return this.#problemOf(name) === undefined ? '' : `aria-invalid="true" aria-describedby="${name}-problem"`;
  }

  /** The same for a button, which has no value that could be wrong. */
  described(name: FieldName): string {
    return this.#problemOf(name) === undefined ? '' : ` aria-describedby="${name}-problem"`;
  }

  problem(name: FieldName): string {
    const problem = this.#problemOf(name);
    const text = problem === undefined ? '' : this.#words.html(problem.text);
    return `<p class="problem" id="${name}-problem"${problem === undefined ? ' hidden' : ''}>${text}</p>`;
  }

  row(name: FieldName, label: TextKey, control: string): string {
    return `<div class="field"><label for="${name}">${this.#words.html(label)}</label>${control}${this.problem(name)}</div>`;
  }

  #problemOf(name: FieldName): ShownProblem | undefined {
    return this.#problems.find(({ field }) => field === name);
  }
}

/** The labels of the fields, for the summary of what is wrong. */
export const labelOf: Readonly<Record<FieldName, TextKey>> = {
  email: 'email',
  name: 'full_name',
  phone: 'phone',
  country: 'country',
  line1: 'address',
  postal_code: 'postal_code',
  city: 'city',
  number: 'card_number',
  expiry: 'expiry',
  cvc: 'security_code',
  terms: 'terms',
  coupon: 'coupon',
};
