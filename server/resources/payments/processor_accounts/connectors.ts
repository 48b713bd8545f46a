import { Type } from '../../../base/schema.ts';
import type { AccountField } from '../../../connectors/registration.ts';
import { operation } from '../../../operations/operation.ts';
import { Flag, ObjectKind, OneOf, Text } from '../../../operations/schemas.ts';

const Field = Type.Object(
  {
    name: Text('The name of the member.'),
    kind: OneOf(['text', 'flag'], '`text`: a string. `flag`: true or false.'),
    required: Flag('Whether an account cannot do without it.'),
    description: Text('What it is.'),
    choices: Type.Optional(Type.Array(Type.String(), { description: 'The values that it can have; absent: any.' })),
  },
  { title: 'ConnectorField', description: 'A credential or a setting of processor accounts.' },
);

const Connector = Type.Object(
  {
    name: Text('What `connector` of a processor account says.'),
    credentials: Type.Array(Field, { description: 'What the processor gives, and is never shown again.' }),
    settings: Type.Array(Field, { description: 'What is shown, and can be changed.' }),
  },
  { title: 'Connector', description: 'The part of the gateway that speaks to a processor.' },
);

const ConnectorsOutput = Type.Object(
  {
    object: ObjectKind('connectors'),
    data: Type.Array(Connector, { description: 'Those that have processor accounts in this mode.' }),
  },
  { title: 'Connectors' },
);

/** The fields of forms: a new connector needs no new page. */
export const listConnectors = operation({
  callers: ['person', 'operator'],
  name: 'processor_accounts.connectors',
  summary: 'List connectors',
  description:
    'Returns the connectors that processor accounts can have in this mode, with their credentials and settings.',
  route: 'GET /connectors',
  output: ConnectorsOutput,
  async run({ connectors, mode }) {
    const data = connectors.names.flatMap((name) => {
      const form = connectors.formOf(name);
      if (!form?.modes.includes(mode)) return [];
      return { name, credentials: form.credentials.map(serializeField), settings: form.settings.map(serializeField) };
    });
    return { result: { object: 'connectors', data } };
  },
});

function serializeField({ name, kind, isRequired, description, choices }: AccountField): object {
  return { name, kind, required: isRequired, description, ...(choices && { choices }) };
}
