import { type Brand, brands, sweepCvcs } from '../../../../vault/index.ts';
import { methodKind } from '../kind.ts';
import { brandNames } from './brand_names.ts';
import { changeExpiry, checkCard, checkExpiryChange, hasExpired, keptCard } from './card.ts';
import { cardErrors } from './errors.ts';
import { CardParameters, ExpiryParameters, ShownCard } from './schema.ts';
import { openCard, sealCard } from './sealing.ts';

export const card = methodKind({
  type: 'card',
  brands,
  sealed: 'number',
  input: CardParameters,
  output: ShownCard,
  csv: ['brand', 'last4', 'exp_month', 'exp_year'],
  errors: cardErrors,
  check: checkCard,
  seal: sealCard,
  tokenized: keptCard,
  change: {
    input: ExpiryParameters,
    errors: ['invalid_expiry_month', 'invalid_expiry_year'],
    check: checkExpiryChange,
    apply: changeExpiry,
  },
  open: openCard,
  decline: (method, now) => (hasExpired(method, now) ? { code: 'expired_card', advice: 'update_card' } : undefined),
  discard: (vault, tenant, id) => [vault.destroyCvc(tenant, id)],
  destroy: (vault, tenant, id) => vault.destroy(tenant, id),
  serialize: ({ brand, last4, exp_month, exp_year }) => ({ brand, last4, exp_month, exp_year }),
  describe: ({ brand, last4, exp_month, exp_year }) => ({
    title: `${brandNames[brand as Brand]} •••• ${last4}`,
    subtitle: `until ${exp_month}/${exp_year}`,
  }),
  maintenance: [
    {
      name: 'expired security codes',
      home: 'tenant',
      run: sweepCvcs,
      isApart: true, // no other maintenance task may delay the deletion of a code
      alarm: 'could not delete expired security codes; next try in a minute',
    },
  ],
});
