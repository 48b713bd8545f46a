import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { Type } from '../../../base/schema.ts';
import type { Secret } from '../../../base/secret.ts';
import { Confidential, OneOf, ParameterObject, Text } from '../../../operations/schemas.ts';
import { methodKind } from '../../../resources/payments/payment_methods/kind.ts';

declare module '../../../connectors/contract.ts' {
  interface Instruments {
    voucher: { code: Secret; issuer: string };
  }
}

const issuers = ['bakery', 'bookshop'];

const voucherErrors = {
  invalid_voucher_code: invalid('The code of the voucher must have eight digits.', 'They are printed on the back.'),
} as const satisfies ErrorRows;
const apiError = apiErrorsOf(voucherErrors);

/** The columns need an expiry, and vouchers have none: one that no clock reaches. */
const never = { exp_month: 12, exp_year: 9_999 };

/** Gift vouchers: a code that is charged as it is, until nothing is left. */
export const vouchers = methodKind({
  type: 'voucher',
  brands: issuers,
  sealed: 'code',
  input: ParameterObject('The voucher.', {
    issuer: OneOf(issuers, 'The shop that sold it.'),
    code: Confidential({ maxLength: 8, compared: true, description: 'The eight digits on its back.' }),
  }),
  output: Type.Object(
    { issuer: OneOf(issuers, 'The shop that sold it.'), last4: Text('The last four digits of the code.') },
    { title: 'Voucher' },
  ),
  csv: ['issuer', 'last4'],
  errors: voucherErrors,
  check({ code }) {
    if (!/^\d{8}$/.test(code.open())) throw apiError('invalid_voucher_code', { param: 'voucher.code' });
  },
  async seal(vault, tenant, id, { issuer, code }) {
    const facts = { brand: issuer, last4: code.open().slice(-4), ...never };
    return { facts, writes: [await vault.sealSecret(tenant, id, code)] };
  },
  async open({ vault, reads, tenant }, id) {
    const code = await vault.openSecret(reads, tenant, id);
    if (code === undefined) return undefined;
    return ({ brand: issuer, billing: holder }) => {
      return { instrument: { kind: 'voucher', code, issuer, holder }, uses: [] };
    };
  },
  destroy: (vault, tenant, id) => [vault.destroySecret(tenant, id)],
  serialize: ({ brand, last4 }) => ({ issuer: brand, last4 }),
  describe: ({ brand, last4 }) => ({ title: `${brand} voucher ${last4}`, subtitle: 'never expires' }),
});
