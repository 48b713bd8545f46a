import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** The words that can follow a command, and what each is. */
type Spot = { path: readonly string[]; words: readonly Word[]; options: readonly Word[] };
type Word = { word: string; about: string; takes?: 'value' | 'file' };

/** A script that completes the commands and their options, made from the commands themselves. */
export function completion(shell: Shell, tollgate: Command): string {
  const places = placesOf(tollgate, []);
  return { bash, zsh, fish }[shell](places);
}

function placesOf(command: Command, path: readonly string[]): Spot[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  const words = [
    ...commands.map((one) => ({ word: one.name(), about: one.description() })),
    ...choices.map((word) => ({ word, about: '' })),
  ];
  const options = command.options.map(({ long, description, required, flags }): Word => {
    const takes = flags.endsWith('<file>') ? 'file' : 'value';
    return { word: long!, about: description, ...(required && { takes }) };
  });
  const help = { word: '--help', about: 'explain the command' };
  return [
    { path, words, options: [...options, help] },
    ...commands.flatMap((one) => [one.name(), ...one.aliases()].flatMap((name) => placesOf(one, [...path, name]))),
  ];
}

const all = ({ words, options }: Spot) => [...words, ...options].map(({ word }) => word).join(' ');
const isGroup = ({ words }: Spot) => words.length > 0;

/** Every place as a branch: the command, or the command and its verb. Values of options are left to the shell. */
function branches(places: readonly Spot[], line: (place: Spot) => string): string {
  return places
    .map((place) => `    ${place.path.length === 0 ? "''" : `'${place.path.join(' ')}'`}) ${line(place)} ;;`)
    .join('\n');
}

function bash(places: readonly Spot[]): string {
  return `# Completion of tollgate for bash:  source <(tollgate completion bash)
_tollgate() {
  local current=\${COMP_WORDS[COMP_CWORD]} place='' words=''
  (( COMP_CWORD > 1 )) && place=\${COMP_WORDS[1]}
  case " ${groupNames(places)} " in *" $place "*) (( COMP_CWORD > 2 )) && place="$place \${COMP_WORDS[2]}" ;; esac
  case "$place" in
${branches(places, (place) => `words='${all(place)}'`)}
  esac
  [[ $current != -* ]] && words=$(printf '%s\\n' $words | grep -v '^-')
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# npx tollgate …, unless something else completes npx.
_tollgate_npx() {
  [[ \${COMP_WORDS[1]} == tollgate ]] && (( COMP_CWORD > 1 )) || return 0
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  (( COMP_CWORD-- ))
  _tollgate
}
complete -o default -F _tollgate tollgate
complete -p npx > /dev/null 2>&1 || complete -o default -F _tollgate_npx npx
`;
}

function zsh(places: readonly Spot[]): string {
  return `#compdef tollgate
# Completion of tollgate for zsh:  source <(tollgate completion zsh)
_tollgate() {
  local place=''
  local -a found
  (( CURRENT > 2 )) && place=$words[2]
  [[ " ${groupNames(places)} " == *" $place "* ]] && (( CURRENT > 3 )) && place="$place $words[3]"
  case "$place" in
${branches(places, zshLine)}
  esac
  if [[ $words[CURRENT] == -* ]]; then found=(\${(M)found:#-*}); else found=(\${found:#-*}); fi
  if (( $#found )); then _describe tollgate found; else _files; fi
}
# npx tollgate …, unless something else completes npx.
_tollgate_npx() {
  if [[ $words[2] == tollgate ]] && (( CURRENT > 2 )); then
    shift words
    (( CURRENT-- ))
    _tollgate
  else
    _files
  fi
}
# In a folder of $fpath this file is the function itself. Sourced, it may come before a shell has loaded its completion.
if [[ $funcstack[1] == _tollgate ]]; then
  _tollgate "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
  compdef _tollgate tollgate
  (( $+_comps[npx] )) || compdef _tollgate_npx npx
fi
`;
}

function zshLine({ words, options }: Spot): string {
  const listed = [...words, ...options].map(({ word, about }) => `'${word}${about === '' ? '' : `:${plain(about)}`}'`);
  return `found=(${listed.join(' ')})`;
}

function groupNames(places: readonly Spot[]): string {
  return places.flatMap((place) => (place.path.length === 1 && isGroup(place) ? place.path : [])).join(' ');
}

function fish(places: readonly Spot[]): string {
  const lines = places.flatMap((place) => {
    const condition = `__tollgate_at ${place.path.join(' ')}`.trim();
    return [
      ...place.words.map((word) => fishLine(condition, `-a '${word.word}'`, word)),
      ...place.options.map((option) => fishLine(condition, `${fishTakes(option)}-l '${option.word.slice(2)}'`, option)),
    ];
  });
  return `# Completion of tollgate for fish:  tollgate completion fish | source
function __tollgate_at
  set -l given (commandline -opc)[2..]
  set -l place $given[1]
  contains -- "$place" ${groupNames(places)}; and set place $given[1..2]
  test "$place" = "$argv"
end
complete -c tollgate -f
${lines.join('\n')}
# npx tollgate …
function __tollgate_after_npx
  set -l given (commandline -opc)
  test "$given[2]" = tollgate
end
complete -c npx -n __tollgate_after_npx -f -a '(complete -C (string replace -r "^\\s*npx\\s+" "" -- (commandline -cp)))'
`;
}

/** Only a file is completed by the shell. */
function fishTakes({ takes }: Word): string {
  return takes === undefined ? '' : takes === 'file' ? '-rF ' : '-r ';
}

function fishLine(condition: string, offer: string, { about }: Word): string {
  const text = plain(about);
  return `complete -c tollgate -n '${condition}' ${offer}${text === '' ? '' : ` -d '${text}'`}`;
}

/** What stands beside a word: the first clause, in single quotes. */
function plain(about: string): string {
  return about.split(';')[0]!.replaceAll(/['\\]/g, ' ');
}
