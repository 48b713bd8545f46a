import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Tollgate } from '@tollgate/node';
import { useState } from 'react';
import type { OperationName } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { download } from './export.tsx';
import { wordsOfError } from './failure.tsx';
import { Icon } from './icon.tsx';

type PdfProps = {
  title: string;
  calls: OperationName;
  /** Of the file. */
  name: string;
  read(api: Tollgate): Promise<Uint8Array>;
};

/** Saves a document. */
export function PdfButton({ title, calls, name, read }: PdfProps) {
  const { api, may } = useWorkspace();
  const [isBusy, setBusy] = useState(false);
  if (!may(calls)) return null;
  const run = async () => {
    setBusy(true);
    try {
      download(new Blob([(await read(api)) as BlobPart], { type: 'application/pdf' }), name);
    } catch (error) {
      notifications.show({ color: 'red', title: 'No document', message: wordsOfError(error).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" loading={isBusy} leftSection={<Icon name="download" size={14} />} onClick={run}>
      {title}
    </Button>
  );
}
