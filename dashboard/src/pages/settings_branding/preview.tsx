import { SegmentedControl } from '@mantine/core';
import type { Branding } from '@tollgate/node';
import { useEffect, useRef, useState } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { formatMoney } from '../../kit/money.ts';
import style from './branding.module.css';
import { isColor, textColorOn } from './contrast.ts';
import type { BrandingFields, LogoChoice } from './fields.ts';

type PreviewProps = { fields: BrandingFields; logo: LogoChoice; stored: Branding['logo']; accountName: string };

const amount = formatMoney(4_800, 'eur');

const labels = {
  light: 'How the checkout page will look',
  dark: 'How the checkout page will look in the dark',
  document: 'How an invoice will look',
} as const;
type Shown = keyof typeof labels;

/** The page where customers pay, in the colours of the look that it has too, and an invoice. Nothing in it can be pressed. */
export function Preview(props: PreviewProps) {
  const [shown, setShown] = useState<Shown>('light');
  return (
    <Section
      title="Preview"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="What the preview shows"
          data={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
            { value: 'document', label: 'PDF' },
          ]}
          value={shown}
          onChange={(chosen) => setShown(chosen as Shown)}
        />
      }
    >
      <div
        role="img"
        aria-label={labels[shown]}
        className={style.page}
        style={{ colorScheme: shown === 'dark' ? 'dark' : 'light' }}
      >
        {shown === 'document' ? <InvoiceDocument {...props} /> : <CheckoutPage {...props} />}
      </div>
    </Section>
  );
}

/** As `server/resources/billing/invoices/pdf.ts` lays it out. */
function InvoiceDocument({ fields, logo, stored, accountName }: PreviewProps) {
  const shownName = fields.display_name.trim() || accountName;
  const color = isColor(fields.color) ? { color: fields.color } : {};
  const lines = [fields.legal_name.trim() || shownName, fields.legal_address.trim()].filter(Boolean);
  return (
    <div className={style.sheet}>
      <div className={style.letterhead}>
        <div className={style.seller}>
          <LogoPicture logo={logo} stored={stored} />
          <span>{shownName}</span>
        </div>
        <strong className={style.what} style={color}>
          Invoice
        </strong>
      </div>
      <div className={style.parties}>
        <div>
          <div className={style.what}>From</div>
          {lines.map((line) => (
            <div key={line} className={style.address} dir="auto">
              {line}
            </div>
          ))}
          {fields.tax_id.trim() !== '' && <div>Tax ID: {fields.tax_id.trim()}</div>}
        </div>
        <div>
          <div className={style.what}>Bill to</div>
          <div>Ada Lovelace</div>
        </div>
      </div>
      <div className={style.line}>
        <span>Coffee beans</span>
        <span>{amount}</span>
      </div>
      <div className={style.line}>
        <strong>Total</strong>
        <strong>{amount}</strong>
      </div>
      <div className={`${style.footer} ${style.address}`} dir="auto">
        {fields.document_footer.trim()}
      </div>
    </div>
  );
}

function CheckoutPage({ fields, logo, stored, accountName }: PreviewProps) {
  const name = fields.display_name.trim() || accountName;
  const button = isColor(fields.color) ? { background: fields.color, color: textColorOn(fields.color) } : {};
  return (
    <>
      <div className={style.summary}>
        <div className={style.seller}>
          <LogoPicture logo={logo} stored={stored} />
          <span>{name}</span>
        </div>
        <div className={style.total}>{amount}</div>
        <div className={style.what}>Coffee beans</div>
      </div>
      <div className={style.form}>
        <div className={style.label}>Email</div>
        <div className={style.input} />
        <div className={style.label}>Card number</div>
        <div className={style.input}>1234 1234 1234 1234</div>
        <div className={style.button} style={button}>
          Pay {amount}
        </div>
        {fields.statement_descriptor.trim() !== '' && (
          <div className={style.small}>On your statement: {fields.statement_descriptor.trim()}</div>
        )}
        <Foot fields={fields} />
      </div>
    </>
  );
}

function Foot({ fields }: { fields: BrandingFields }) {
  const { support_email, support_address, terms_url, privacy_url } = fields;
  const links = [terms_url.trim() !== '' && 'Terms', privacy_url.trim() !== '' && 'Privacy'].filter(Boolean);
  return (
    <div className={style.foot}>
      {support_email.trim() !== '' && <div>{support_email.trim()}</div>}
      {support_address.trim() !== '' && <div className={style.address}>{support_address.trim()}</div>}
      {links.length > 0 && (
        <div className={style.links}>
          {links.map((link) => (
            <u key={String(link)}>{link}</u>
          ))}
        </div>
      )}
    </div>
  );
}

function LogoPicture({ logo, stored }: Pick<PreviewProps, 'logo' | 'stored'>) {
  if (logo.kind === 'file') return <ChosenPicture file={logo.file} />;
  if (logo.kind === 'none' || stored === undefined) return null;
  // By its path: the address of the gateway may be another one than that of this page.
  return <img className={style.logo} src={new URL(stored.url).pathname} alt="" />;
}

/** A file that is not sent yet. It is drawn, because the policy of the page allows pictures of the gateway alone. */
function ChosenPicture({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isGone = false;
    createImageBitmap(file).then(
      (picture) => {
        if (isGone || canvas.current === null) return;
        canvas.current.width = picture.width;
        canvas.current.height = picture.height;
        canvas.current.getContext('2d')?.drawImage(picture, 0, 0);
      },
      () => undefined, // the gateway says what is wrong with it
    );
    return () => {
      isGone = true;
    };
  }, [file]);
  return <canvas ref={canvas} width={1} height={1} className={style.logo} />;
}
