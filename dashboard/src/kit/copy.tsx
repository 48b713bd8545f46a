import { ActionIcon, Box, CopyButton, Group, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import style from './shared.module.css';

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

/** A short command within a sentence. */
export function InlineCommand({ text }: { text: string }) {
  return (
    <Group component="span" display="inline-flex" gap={2} maw="100%" wrap="nowrap">
      <code>{text}</code>
      <Copy text={text} label="Copy the command" />
    </Group>
  );
}

/** The names of options in one piece: a line would end between their hyphens. */
function wholeOptions(text: string): ReactNode[] {
  return text.split(/(--[\w-]+)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <span key={at} className="whole">
        {part}
      </span>
    ),
  );
}

/** A command to paste into a terminal, or another text to paste elsewhere. */
export function Command({ text, label = 'Copy the command' }: { text: string; label?: string }) {
  return (
    <Group className={style.inset} align="flex-start" gap={4} wrap="nowrap" maw="100%" p="8px 8px 8px 14px" ta="left">
      <Box component="pre" className="as-typed" flex={1} miw={0} fz="sm" lh={1.6}>
        <code>{wholeOptions(text)}</code>
      </Box>
      <Copy text={text} label={label} />
    </Group>
  );
}
