import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import style from './copy.module.css';
import { Icon } from './icon.tsx';

/** A button that copies a text. */
export function Copy({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={copied ? 'Copied' : label}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A command to paste into a terminal, or another text to paste elsewhere. */
export function Command({ text, label = 'Copy the command' }: { text: string; label?: string }) {
  return (
    <div className={style.command}>
      <pre>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={label} />
    </div>
  );
}
