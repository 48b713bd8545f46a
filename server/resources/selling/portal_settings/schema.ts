import { Type } from '../../../base/schema.ts';
import { cancelChoices, type PortalSettings } from '../../../operations/portal_settings.ts';
import { ObjectKind, Parameters, Text } from '../../../operations/schemas.ts';

const pricesMax = 20;

const Switch = (what: string) => Type.Boolean({ description: `Whether customers can ${what}.` });

const switches = {
  add_method: Switch('add a payment method'),
  remove_method: Switch('remove a payment method'),
  default_method: Switch('choose which payment method is charged'),
  cancel: Type.Unsafe<PortalSettings['cancel']>(
    Type.String({
      enum: [...cancelChoices],
      description:
        'Whether customers can cancel a subscription: `off`, `period_end`, which they can take back until then, or `now`, without a refund.',
    }),
  ),
  pause: Switch('pause a subscription'),
  resume: Switch('resume a paused subscription, also one that you have paused'),
  change_price: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: pricesMax,
    description: `The ids of prices among which customers can change, up to ${pricesMax}: active ones that recur, of this mode. A subscription to another price cannot be changed.`,
  }),
  change_quantity: Switch('change the quantity of what they subscribe to'),
  edit_details: Switch('change their email address, name, phone number, address and tax id'),
};

export const PortalSettingsInput = Parameters({
  add_method: Type.Optional(switches.add_method),
  remove_method: Type.Optional(switches.remove_method),
  default_method: Type.Optional(switches.default_method),
  cancel: Type.Optional(switches.cancel),
  pause: Type.Optional(switches.pause),
  resume: Type.Optional(switches.resume),
  change_price: Type.Optional(switches.change_price),
  change_quantity: Type.Optional(switches.change_quantity),
  edit_details: Type.Optional(switches.edit_details),
});

export const PortalSettingsOutput = Type.Object(
  {
    object: ObjectKind('portal_settings'),
    ...switches,
    url: Text('Where customers sign in without a link, by a code that is mailed to them.'),
  },
  { title: 'PortalSettings', description: 'What customers may do by themselves in the portal, in one mode.' },
);

export const shownSettings = (settings: PortalSettings, url: string) => ({
  object: 'portal_settings',
  ...settings,
  url,
});
