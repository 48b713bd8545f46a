import type { AdoptedLine, Adoption, LeftLine } from '../resources/payments/balance/adopt.ts';

export function adoptionShown({ adopted, left }: Adoption) {
  const shown = ({ kind, reference, money, payment }: AdoptedLine | LeftLine) => ({
    kind,
    reference,
    ...money,
    payment,
  });
  return {
    adopted: adopted.map((line) => ({ ...shown(line), object: line.object })),
    not_adopted: left.map((line) => ({ ...shown(line), reason: line.obstacle })),
  };
}

export function adoptionInWords({ adopted, left }: Adoption): string[] {
  const about = ({ kind, reference, money, payment }: AdoptedLine | LeftLine) =>
    `${kind} ${reference}, ${payment ?? 'no payment that we know'}, ${money.amount} ${money.currency}`;
  const count = adopted.length === 1 ? 'Adopted 1 line:' : `Adopted ${adopted.length} lines:`;
  return [
    ...(adopted.length === 0
      ? ['Nothing was adopted.']
      : [count, ...adopted.map((line) => `- ${about(line)}: recorded as ${line.object}`)]),
    ...(left.length === 0 ? [] : ['Not adopted:', ...left.map((line) => `- ${about(line)}: ${line.obstacle}`)]),
    '',
  ];
}
