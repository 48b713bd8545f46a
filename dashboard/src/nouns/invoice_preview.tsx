import { useDebouncedValue } from '@mantine/hooks';
import type { InvoicesPreviewParameters, UpcomingInvoice } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Failure } from '../kit/failure.tsx';
import { useRead } from '../kit/read.ts';
import style from './invoice_lines.module.css';
import { InvoiceLines } from './invoice_lines.tsx';

export type Preview = {
  invoice: UpcomingInvoice | undefined;
  error: unknown;
  /** It is that of what is wanted now. */
  isCurrent: boolean;
};

const patience = 250; // somebody may still be typing

/** What an invoice would be, by the API. Nothing is asked while nothing is wanted. */
export function usePreview(wanted: InvoicesPreviewParameters | undefined): Preview {
  const key = JSON.stringify(wanted ?? null);
  const [asked] = useDebouncedValue(key, patience);
  const { data, error, isPlaceholderData } = useRead(
    ['invoices', 'preview', asked],
    (api, options) => api.invoices.preview(JSON.parse(asked), options),
    { isEnabled: asked !== 'null', keeps: true },
  );
  const isKnown = error !== null || (data !== undefined && !isPlaceholderData);
  return {
    invoice: wanted === undefined || error !== null ? undefined : data,
    error: wanted === undefined ? null : error,
    isCurrent: asked === key && isKnown,
  };
}

/** The lines of a preview, or why there are none. */
export function PreviewTable({ title, preview }: { title: ReactNode; preview: Preview }) {
  const { invoice, error, isCurrent } = preview;
  if (error !== null) return <Failure error={error} />;
  if (invoice === undefined) return null;
  return (
    <section className={style.preview} data-stale={!isCurrent || undefined} aria-busy={!isCurrent}>
      <h3>{title}</h3>
      <InvoiceLines invoice={invoice} />
    </section>
  );
}
