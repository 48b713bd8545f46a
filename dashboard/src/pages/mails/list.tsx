import type { Mail, Page as PageOf, Tollgate } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { createdFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { mailColumns } from '../../nouns/mail_parts.tsx';
import { kindNames } from '../../nouns/mail_words.ts';
import { customerFilter, invoiceFilter, paymentFilter } from '../../nouns/object_filters.tsx';

const { kind, status } = filterChoices['mails.list'];

export const Page = listPage<Mail>({
  name: 'mails',
  title: 'Mails',
  icon: 'mail',
  columns: mailColumns,
  filters: [
    { kind: 'choices', name: 'status', title: 'Status', choices: status },
    { kind: 'choices', name: 'kind', title: 'Kind', choices: kind, words: kindNames },
    customerFilter(),
    invoiceFilter,
    { ...paymentFilter, isRare: true },
    createdFilter,
  ],
  load: (api: Tollgate, params, options): PromiseLike<PageOf<Mail>> => api.mails.list(params, options),
  empty: (mode) => ({
    title: `No ${mode} mails yet`,
    text: 'Nothing is sent to customers until an owner switches it on, in Settings under Customer mails.',
    command: mode === 'test' ? tollgateCommand('mails preview receipt') : undefined,
  }),
});
