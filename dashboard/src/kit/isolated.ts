const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A name within a sentence. Without the isolates of Unicode, numbers and punctuation after a name that is written from right to left are
 * drawn before it: `€5.00 was refunded` would begin at the left of the name.
 */
export function isolated(name: string): string {
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}
