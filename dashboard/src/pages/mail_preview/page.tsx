import { Group, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { mailKinds, mailLocales, personMailKinds } from '../../generated/mails.ts';
import { useAddress } from '../../kit/list_page.tsx';
import { PageLayout } from '../../kit/page_layout.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { MailFrame } from '../../nouns/mail_frame.tsx';
import { mailColumns, usePollingOf } from '../../nouns/mail_parts.tsx';
import { kindName, type MailKind, type PersonMailKind } from '../../nouns/mail_words.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { PortalCodes } from './portal_codes.tsx';

type Locale = (typeof mailLocales)[number];

/** Each kind of mail with sample data. Where nothing leaves the machine, also those that would have been sent. */
export function Page() {
  const { search, change } = useAddress();
  const kind = kinds.find((one) => one === search.kind) ?? 'receipt';
  const locale = mailLocales.find((one) => one === search.locale) ?? 'en';
  const reading = useRead(
    ['mail_samples', kind, locale],
    (api, options) => api.mails.sample({ kind, locale }, options),
    { keeps: true },
  );
  return (
    <PageLayout
      title="Mail preview"
      about="What customers and your team get, with sample data. Nothing is sent."
      hasSections
    >
      <Group gap="sm" align="flex-end">
        <Select
          label="Kind"
          data={[
            { group: 'To customers', items: choices(mailKinds) },
            { group: 'To your team', items: choices(personMailKinds) },
          ]}
          value={kind}
          allowDeselect={false}
          onChange={(chosen) => chosen !== null && change({ kind: chosen })}
        />
        {kind in mailKinds && (
          <Select
            label="Language"
            searchable
            data={mailLocales.map((value) => ({ value, label: languageName(value) }))}
            value={locale}
            allowDeselect={false}
            onChange={(chosen) => chosen !== null && change({ locale: chosen })}
          />
        )}
      </Group>
      <p className="quiet">When: {whenSent[kind]}</p>
      <MailFrame title={kindName(kind)} reading={reading} />
      <ShownHere />
    </PageLayout>
  );
}

const whenSent = { ...mailKinds, ...personMailKinds };
const kinds = Object.keys(whenSent) as (MailKind | PersonMailKind)[];
const choices = (named: object) => Object.keys(named).map((value) => ({ value, label: kindName(value) }));

const names = new Intl.DisplayNames('en-GB', { type: 'language' });
const languageName = (locale: Locale) => `${names.of(locale)} (${locale})`;

const newest = 10;

/** In development without a mail server, mails are read here. */
function ShownHere() {
  const { may } = useWorkspace();
  const { data: setup } = useRead(['mail_setup'], (api, options) => api.mails.setup(options));
  const isHere = setup?.delivery === 'preview' && may('mails.list');
  const reading = useRead(['mails', 'newest'], (api, options) => api.mails.list({ limit: newest }, options), {
    isEnabled: isHere,
  });
  usePollingOf(reading.data?.data, reading.refetch);
  if (!isHere) return null;
  return (
    <>
      <PortalCodes />
      <RelatedList
        title="Mails"
        reading={reading}
        columns={mailColumns}
        all={{ path: '/mails', search: {} }}
        aside={<span className="quiet">Without SMTP_URL, they stay here: open one to read it.</span>}
        empty={
          <>
            No mails yet. Switch kinds on under <Link to={'/settings/mails' as string}>Customer mails</Link>.
          </>
        }
      />
    </>
  );
}
