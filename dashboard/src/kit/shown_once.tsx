import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { download } from './export.tsx';
import { Icon } from './icon.tsx';
import style from './shown_once.module.css';

type ShownOnceProps = {
  title: string;
  /** What it is for, and that it is not shown again. */
  children: ReactNode;
  /** What it is called, such as `key`. */
  name: string;
  lines: readonly string[];
  /** The name of a file to keep it in. */
  file?: string;
  /** How it is used. */
  usage?: ReactNode;
  /** On the button of those who have kept it, such as `I have saved them`. Without it, `Done` asks those who have not copied it. */
  confirm?: string;
  onClose(): void;
};

/** Something secret that the API shows this once. It does not go away by mistake. */
export function ShownOnce({ title, children, name, lines, file, usage, confirm, onClose }: ShownOnceProps) {
  const text = lines.join('\n');
  const [isTaken, setTaken] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const take = () => setTaken(true);
  const close = () => (isTaken ? onClose() : setAsking(true));
  return (
    <Dialog title={title} isWide={usage !== undefined} isKept onClose={close}>
      <Stack gap="md" onCopy={take}>
        <div className={style.about}>{children}</div>
        <div className={style.secret}>
          <code data-testid="secret" data-many={lines.length > 1 || undefined}>
            {lines.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </code>
          <CopyButton text={text} name={name} onCopied={take} />
        </div>
        {usage}
        {isAsking && !isTaken ? (
          <Unsaved name={name} onBack={() => setAsking(false)} onClose={onClose} />
        ) : (
          <Group justify="flex-end" gap="xs">
            {file !== undefined && <DownloadButton text={text} file={file} onDownload={take} />}
            <Button
              variant={isTaken || confirm !== undefined ? 'filled' : 'default'}
              onClick={confirm === undefined ? close : onClose}
            >
              {confirm ?? 'Done'}
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

/** It is taken only once the browser has let it: else it would be lost. */
function CopyButton({ text, name, onCopied }: { text: string; name: string; onCopied(): void }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
      onCopied();
    } catch {
      setOutcome('refused');
    }
  };
  const words = { copied: 'Copied', refused: 'Select and copy it' };
  return (
    <Button
      size="xs"
      data-autofocus
      leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={14} />}
      onClick={() => void copy()}
    >
      {outcome === undefined ? `Copy the ${name}` : words[outcome]}
    </Button>
  );
}

function DownloadButton({ text, file, onDownload }: { text: string; file: string; onDownload(): void }) {
  const run = () => {
    download(new Blob([`${text}\n`], { type: 'text/plain' }), file);
    onDownload();
  };
  return (
    <Button variant="default" leftSection={<Icon name="download" size={14} />} onClick={run}>
      Download
    </Button>
  );
}

function Unsaved({ name, onBack, onClose }: { name: string; onBack(): void; onClose(): void }) {
  return (
    <Alert color="yellow" variant="default" role="alert" title={`You have not copied the ${name}`}>
      It cannot be shown again.
      <Group justify="flex-end" gap="xs" mt="sm">
        <Button variant="default" size="xs" onClick={onClose}>
          Close without the {name}
        </Button>
        <Button size="xs" onClick={onBack}>
          Go back
        </Button>
      </Group>
    </Alert>
  );
}
