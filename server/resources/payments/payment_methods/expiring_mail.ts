import type { MailKind } from '../../../operations/mail_kind.ts';
import { expiringCardMessage, expiringCardSample } from './expiring_message.ts';
import { findExpiring } from './store.ts';

const dayMs = 86_400_000;
const daysBefore = 14;

/** A card can be charged until its month has ended. */
export const expiringCardMail: MailKind = {
  kind: 'card_expiring',
  when: 'A saved card expires in two weeks or less.',
  /** `2026-11`, from two weeks before the end of that month. */
  roundAt(now) {
    const today = new Date(now);
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
    const end = Date.UTC(year, month + 1, 1);
    return now < end - daysBefore * dayMs ? undefined : `${year}-${String(month + 1).padStart(2, '0')}`;
  },
  async find(reads, { tenant, round, after, limit }) {
    const [year, month] = round.split('-').map(Number) as [number, number];
    const cards = await findExpiring(reads, tenant, { year, month, after, limit });
    return cards.map((card) => ({
      id: card.id,
      draft: {
        contacts: [card.customer],
        about: { customer: card.customer },
        message: (reader) => expiringCardMessage(card, reader),
      },
    }));
  },
  sample: (reader) => expiringCardMessage(expiringCardSample, reader),
};
