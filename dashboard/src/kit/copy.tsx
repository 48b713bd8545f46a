import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import style from './copy.module.css';
import { Icon } from './icon.tsx';

type CopyProps = { text: string; label: string; onCopied?: (() => void) | undefined };

/** A button that copies a text. */
export function Copy({ text, label, onCopied }: CopyProps) {
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
              onCopied?.();
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A command to paste into a terminal. */
export function Command({ text, onCopied }: Pick<CopyProps, 'text' | 'onCopied'>) {
  return (
    <div className={style.command}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <Copy text={text} label="Copy the command" onCopied={onCopied} />
    </div>
  );
}
