/** `The parameter card.exp_month is invalid: it must …` becomes `--card.exp-month must …`. */
export function inFlags(message: string, param: string, flag: string): string {
  return message
    .replace(`The parameter ${param} is invalid: it `, `${flag} `)
    .replace(`The parameter ${param} is invalid: `, `${flag}: `)
    .replace(`The parameter ${param} is`, `${flag} is`);
}
