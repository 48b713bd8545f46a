import { selectField, textField } from '../kit/form_dialog.tsx';
import { type Saving, trialMax, trialOf } from './sold_params.ts';

export const savingField = selectField<Saving>(
  'The card',
  [
    { value: 'none', label: 'Is used for this payment' },
    { value: 'offer', label: 'Can be saved by the customer' },
    { value: 'require', label: 'Is saved for later charges' },
  ],
  'none',
);

export const trialField = textField('Days of the trial', '', {
  description: 'Optional: nothing is due before it ends',
  inputMode: 'numeric',
  autoComplete: 'off',
  problem: (text) => (trialOf(text) === false ? `1 to ${trialMax}` : undefined),
});
