import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const noticeErrors = {
  notice_signature_invalid: invalid(
    'This notice is not signed by a processor account that takes notices here.',
    'For processors: a notice is accepted at the `webhook_url` of a processor account, with the signature that the processor makes with the secret of that address. Check that the account has this secret, and that it is the one of this very address. The answer does not say whether the account exists. Nothing of a refused notice is stored.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...noticeErrors });
