(() => {
  const find = (selector) => document.querySelector(selector);
  const form = find('#pay');
  const trouble = find('#trouble');
  const button = find('#pay-button');
  const texts = form ? JSON.parse(form.dataset.texts) : {};
  const digits = (text) =>
    text
      .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => (digit.codePointAt(0) % 16) % 10)
      .replace(/\D/g, '');
  const parsed = (html) => new DOMParser().parseFromString(html, 'text/html');
  const pageAt = async (address, request) => parsed(await (await fetch(address, request)).text());

  /* Cards: groups of digits, the brand, and a first look at what was typed. */
  const brands = [
    ['amex', /^3[47]/],
    ['visa', /^4/],
    ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
    ['discover', /^(6011|65|64[4-9])/],
    ['diners', /^3(0[0-5]|[689])/],
    ['jcb', /^35/],
    ['unionpay', /^62/],
  ];
  const brandOf = (number) => brands.find(([, pattern]) => pattern.test(number))?.[0] ?? '';
  const isLuhn = (number) => {
    let sum = 0;
    for (let at = 0; at < number.length; at++) {
      const digit = Number(number[number.length - 1 - at]) * (at % 2 ? 2 : 1);
      sum += digit > 9 ? digit - 9 : digit;
    }
    return number.length > 11 && sum % 10 === 0;
  };
  const grouped = (number) =>
    (/^3[47]/.test(number) ? /(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,7})?/)
      .exec(number)
      ?.slice(1)
      .filter(Boolean)
      .join(' ') ?? '';
  const monthYear = (text, isErasing) => {
    let all = digits(text);
    if (/^[2-9]/.test(all) || /^1\s*\//.test(text)) all = `0${all}`;
    if (all.length > 4) all = all.slice(0, 2) + all.slice(-2);
    return all.length < 2 || (all.length === 2 && isErasing) ? all : `${all.slice(0, 2)} / ${all.slice(2)}`;
  };
  /* The caret stays behind the digit that it was behind. */
  const reformat = (input, format) =>
    input.addEventListener('input', (event) => {
      const isAtEnd = input.selectionStart === input.value.length;
      const before = digits(input.value.slice(0, input.selectionStart)).length;
      input.value = format(input.value, event.inputType?.startsWith('delete'));
      if (isAtEnd) return;
      let [at, seen] = [0, 0];
      while (at < input.value.length && seen < before) if (/\d/.test(input.value[at++])) seen++;
      input.setSelectionRange(at, at);
    });
  const [number, expiry, cvc] = ['#number', '#expiry', '#cvc'].map(find);
  if (number) {
    const mark = document.createElement('span');
    mark.setAttribute('aria-hidden', 'true');
    number.parentElement.classList.add('number');
    number.after(mark);
    reformat(number, (text) => grouped(digits(text).slice(0, 19)));
    number.addEventListener('input', () => {
      const brand = brandOf(digits(number.value));
      mark.className = brand && `mark ${brand}`;
    });
    reformat(expiry, monthYear);
    reformat(cvc, (text) => digits(text).slice(0, 4));
  }

  /* What is wrong stands beside its field, and in a summary that takes the focus. */
  const isNewCard = () => (form.elements.method?.value ?? 'new') === 'new';
  /* A coupon has taken everything off. */
  const isFree = () => find('#method')?.hidden;
  const problemOf = (input) => {
    if (['number', 'expiry', 'cvc'].includes(input.id)) {
      if (!isNewCard() || isFree()) return '';
      const value = digits(input.value);
      if (!value) return texts.required;
      if (input === number) return isLuhn(value) ? '' : texts.invalid;
      if (input === cvc) {
        const brand = brandOf(digits(number.value));
        const isRight = brand ? value.length === (brand === 'amex' ? 4 : 3) : value.length > 2;
        return isRight ? '' : texts.invalid;
      }
      const [month, year] = [Number(value.slice(0, 2)), 2000 + Number(value.slice(2))];
      if (value.length !== 4 || month < 1 || month > 12) return texts.invalid;
      return new Date(year, month, 1) <= new Date() ? texts.expired : '';
    }
    if (input.validity.valueMissing) return texts.required;
    return input.validity.valid ? '' : texts.invalid;
  };
  const show = (input) => {
    const text = problemOf(input);
    const place = find(`#${input.id}-problem`);
    if (!place) return text;
    place.textContent = text;
    place.hidden = !text;
    if (text) {
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', place.id);
    } else {
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-describedby');
    }
    return text;
  };
  const inputs = form ? [...form.querySelectorAll('input[id], select[id]')] : [];
  for (const input of inputs) {
    input.addEventListener('blur', () => input.value && show(input));
    input.addEventListener('input', () => input.getAttribute('aria-invalid') && show(input));
  }
  const leadTo = (link, input) =>
    link.addEventListener('click', (event) => {
      event.preventDefault();
      input?.focus();
    });
  const say = (heading, entries = []) => {
    const strong = document.createElement('strong');
    strong.textContent = heading;
    const list = document.createElement('ul');
    for (const [input, text] of entries) {
      const link = document.createElement('a');
      link.href = `#${input.id}`;
      link.textContent = `${input.labels[0].textContent}: ${text}`;
      leadTo(link, input);
      list.append(document.createElement('li'));
      list.lastChild.append(link);
    }
    trouble.replaceChildren(strong, ...(entries.length ? [list] : []));
    trouble.hidden = false;
    trouble.focus();
  };
  if (trouble && !trouble.hidden && !trouble.autofocus) trouble.focus();
  for (const link of trouble?.querySelectorAll('a') ?? []) leadTo(link, find(link.hash));

  /* The fields of the processor. Where they do not come in time, the same button leads to the processor's page. */
  const place = find('#fields');
  const within = (ms, promise) => Promise.race([promise, new Promise((_, late) => setTimeout(late, ms))]);
  const scriptOf = (src) =>
    new Promise((onload, onerror) => {
      document.head.append(Object.assign(document.createElement('script'), { src, async: true, onload, onerror }));
    });
  const appearance = () => {
    const { color, backgroundColor, fontFamily } = getComputedStyle(document.body);
    const variables = {
      colorPrimary: getComputedStyle(button).backgroundColor,
      colorBackground: backgroundColor,
      colorText: color,
      borderRadius: '8px',
      fontFamily,
    };
    return { theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe', variables };
  };
  /* What is typed beside the fields belongs to the card: the bank compares it. */
  const billingDetails = () => {
    const typed = (names) =>
      Object.fromEntries(names.map((name) => [name, form.elements[name]?.value.trim()]).filter(([, value]) => value));
    const address = typed(['country', 'line1', 'postal_code', 'city']);
    return { ...typed(['email', 'name', 'phone']), ...(Object.keys(address).length && { address }) };
  };
  const optionsOf = (config) => {
    const { publishable_key, paymentMethodTypes, amount, ...options } = JSON.parse(config);
    if (amount) options.amount = Number(amount);
    if (paymentMethodTypes) options.paymentMethodTypes = paymentMethodTypes.split(',');
    return { publishable_key, options };
  };
  let elements;
  const openFields = async () => {
    place.setAttribute('aria-busy', 'true');
    await within(4000, scriptOf(place.dataset.script));
    /* As it is by now: a coupon may have changed the amount. */
    const { publishable_key, options } = optionsOf(place.dataset.config);
    const stripe = window.Stripe(publishable_key, { locale: document.documentElement.lang });
    elements = stripe.elements({ ...options, appearance: appearance() });
    const element = elements.create('payment');
    const ready = new Promise((resolve, reject) => {
      element.on('ready', resolve);
      element.on('loaderror', reject);
      element.mount(place);
    });
    await within(10000, ready);
    place.removeAttribute('aria-busy');
    return async () => {
      if (form.elements.save?.checked) elements.update({ setupFutureUsage: 'off_session' });
      const { error: wrong } = await elements.submit();
      if (wrong) return { wrong };
      const params = { payment_method_data: { billing_details: billingDetails() }, return_url: location.href };
      const { error, confirmationToken } = await stripe.createConfirmationToken({ elements, params });
      return { wrong: error, token: confirmationToken?.id };
    };
  };
  /* Who pays with a saved card needs no script of the processor. */
  let fields;
  const needFields = () => {
    if (place && isNewCard() && !isFree()) fields ??= openFields().catch(() => place.remove());
  };
  needFields();
  form?.addEventListener('change', needFields);
  /* A token for what was typed; what is wrong with it; or neither, where it is paid on the processor's page. */
  const tokenize = async () => {
    const submit = await fields;
    return (await submit?.().catch(() => {})) ?? {};
  };

  /* One press, one try. */
  const busy = (is) => (is ? button.setAttribute('aria-busy', 'true') : button.removeAttribute('aria-busy'));
  /* Whoever does not see the button turn is told. */
  const tell = (text) => {
    const doing = find('#doing');
    if (doing) doing.textContent = text;
  };
  if (form) {
    form.noValidate = true;
    form.addEventListener('submit', async (event) => {
      if (button.hasAttribute('aria-busy')) return event.preventDefault();
      const wrong = inputs.map((input) => [input, show(input)]).filter(([, text]) => text);
      if (wrong.length > 0) {
        event.preventDefault();
        return say(trouble.dataset.heading, wrong);
      }
      busy(true);
      tell(texts.doing);
      /* What is wrong again is announced again. */
      trouble.hidden = true;
      if (!fields || !isNewCard() || isFree()) return;
      event.preventDefault();
      const made = await tokenize();
      if (made.wrong) {
        busy(false);
        tell('');
        return say(made.wrong.message ?? trouble.dataset.heading);
      }
      find('#way').value = made.token ? 'confirmation' : 'page';
      find('#confirmation').value = made.token ?? '';
      form.submit();
    });
  }
  /* Some browsers hold every redirect after a form against its policy: then the shop is reached by a link of the page. */
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective === 'form-action') location.replace('?go');
  });

  /* How a card is taken, but for the amount. */
  const wayOf = (page) => {
    const config = page.querySelector('#fields')?.dataset.config;
    const { amount: _, ...rest } = config ? JSON.parse(config) : {};
    return JSON.stringify([page.querySelector('[name=way]')?.id, rest, !!page.querySelector('#number')]);
  };
  const firstWay = wayOf(document);

  /* A coupon, and the quantity of a link, change the sums in place, so that what was typed beside them stays. */
  const showSums = (page) => {
    const summary = page.querySelector('#summary');
    if (!summary) return location.reload();
    /* With nothing to pay, no card is asked for. Another amount may be taken in another way: then the page is read anew. */
    const isCardAsked = !!page.querySelector('#method');
    if (isCardAsked && (!find('#method') || wayOf(page) !== firstWay)) return location.reload();
    if (find('#method')) find('#method').hidden = !isCardAsked;
    const config = page.querySelector('#fields')?.dataset.config;
    if (config && place) {
      place.dataset.config = config;
      const { amount } = optionsOf(config).options;
      if (amount) elements?.update({ amount });
      needFields();
    }
    const isOpen = find('#order')?.open;
    find('#summary').replaceChildren(...summary.childNodes);
    if (find('#order')) find('#order').open = isOpen;
    button?.replaceChildren(...page.querySelector('#pay-button').childNodes);
    /* A browser that has lost its cookie has another one by now. */
    const token = page.querySelector('[name=form_token]').value;
    for (const one of document.querySelectorAll('[name=form_token]')) one.value = token;
  };
  const change = async (changed) => {
    showSums(await pageAt(location.pathname, { method: 'POST', body: new URLSearchParams(new FormData(changed)) }));
    (find('#summary [aria-invalid]') ?? find('#summary button'))?.focus();
    tell(button.textContent);
    live();
  };
  /* For the pointer: the keyboard has the arrow keys of the field. */
  const stepper = (input) => {
    const step = (text, by) => {
      const one = document.createElement('button');
      Object.assign(one, { type: 'button', className: 'step', tabIndex: -1, textContent: text });
      one.setAttribute('aria-hidden', 'true');
      one.addEventListener('click', () => {
        input.stepUp(by);
        input.dispatchEvent(new Event('change', { bubbles: true }));
      });
      return one;
    };
    const both = document.createElement('div');
    both.className = 'stepper';
    input.replaceWith(both);
    both.append(step('−', -1), input, step('+', 1));
  };
  const live = () => {
    for (const one of document.querySelectorAll('form[data-live]'))
      one.addEventListener('submit', (event) => {
        event.preventDefault();
        /* What is paid is the sum that is shown: neither a press during a change, nor a change during a press. */
        if (button.hasAttribute('aria-busy')) return;
        busy(true);
        change(one).then(
          () => busy(false),
          () => one.submit(),
        );
      });
  };
  live();
  /* On the page of a link, which is asked for the sums of another quantity. */
  const chosen = find('#quantity');
  if (chosen) stepper(chosen);
  chosen?.addEventListener('change', async () => {
    const { value: quantity } = chosen;
    const page = await pageAt(`?${new URLSearchParams({ quantity })}`);
    if (quantity === chosen.value) showSums(page);
  });

  /* The amounts that a link suggests, as buttons: lists of fields are hard to find on a phone. */
  const list = find('datalist');
  const amount = find('[list]');
  if (list) {
    const chips = Object.assign(document.createElement('div'), { className: 'chips' });
    const mark = () => {
      for (const chip of chips.children) chip.setAttribute('aria-pressed', chip.value === amount.value);
    };
    for (const { value, label } of list.options) {
      const chip = Object.assign(document.createElement('button'), { type: 'button', className: 'second', value });
      chip.textContent = label;
      chip.addEventListener('click', () => {
        amount.value = value;
        mark();
      });
      chips.append(chip);
    }
    amount.after(chips);
    amount.removeAttribute('list');
    amount.addEventListener('input', mark);
    mark();
  }

  /* The end of the session is announced two minutes before. The clock of the customer may be wrong: what is left counts. */
  const note = find('#expiry-note');
  const end = Date.now() + Number(note?.dataset.left);
  const watch = () => {
    const left = end - Date.now();
    const after = (ms, act) => ms < 2 ** 31 && setTimeout(act, Math.max(0, ms));
    if (left > 0) after(left - 120000, () => (note.textContent = note.dataset.warning));
    after(left + 1000, () => location.reload());
  };
  if (note) watch();
  /* The page as it was, after going back: what was typed stays, unless the page has had its time or its button was pressed. */
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || chosen) return;
    if (!note || end < Date.now() || button.hasAttribute('aria-busy')) location.reload();
    else watch();
  });

  /* An outcome that is not known yet is asked for until it is. */
  if (find('[data-poll]')) {
    const poll = async () => {
      const answer = await fetch(location.pathname).catch(() => undefined);
      const page = answer?.ok && parsed(await answer.text());
      if (page && !page.querySelector('[data-poll]')) location.reload();
      else setTimeout(poll, 2000);
    };
    setTimeout(poll, 1500);
  }
  const print = find('#print');
  if (print) {
    print.hidden = false;
    print.addEventListener('click', () => window.print());
  }
})();
