(() => {
  const find = (selector) => document.querySelector(selector);
  const form = find('#pay');
  const trouble = find('#trouble');
  const texts = form ? JSON.parse(form.dataset.texts) : {};
  const digits = (text) =>
    text
      .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => (digit.codePointAt(0) % 16) % 10)
      .replace(/\D/g, '');

  /* Cards: groups of digits, the brand, and a first look at what was typed. */
  const brands = [
    ['Amex', /^3[47]/],
    ['Visa', /^4/],
    ['Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
    ['Discover', /^(6011|65|64[4-9])/],
    ['Diners', /^3(0[0-5]|[689])/],
    ['JCB', /^35/],
    ['UnionPay', /^62/],
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
    const brand = document.createElement('span');
    brand.className = 'brand';
    brand.setAttribute('aria-hidden', 'true');
    number.parentElement.classList.add('number');
    number.after(brand);
    reformat(number, (text) => grouped(digits(text).slice(0, 19)));
    number.addEventListener('input', () => (brand.textContent = brandOf(digits(number.value))));
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
      if (input === cvc) return value.length < 3 ? texts.invalid : '';
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
  const say = (entries, heading) => {
    trouble.replaceChildren();
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
    trouble.append(strong, list);
    trouble.hidden = false;
    trouble.focus();
  };
  if (trouble && !trouble.hidden && !trouble.autofocus) trouble.focus();
  for (const link of trouble?.querySelectorAll('a') ?? []) leadTo(link, find(link.hash));

  /* The fields of the processor. Without its script within 4 s, the same button leads to the processor's page. */
  const place = find('#fields');
  let fields;
  let elements;
  const optionsOf = (config) => {
    const { publishable_key, ...options } = JSON.parse(config);
    if (options.amount) options.amount = Number(options.amount);
    if (options.paymentMethodTypes) options.paymentMethodTypes = options.paymentMethodTypes.split(',');
    return { publishable_key, options };
  };
  const scriptOf = (src) =>
    new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement('script'), {
        src,
        async: true,
        onload: resolve,
        onerror: reject,
      });
      document.head.append(script);
    });
  const openFields = async () => {
    await scriptOf(place.dataset.script);
    /* As it is by now: a coupon may have changed the amount. */
    const { publishable_key, options } = optionsOf(place.dataset.config);
    const stripe = window.Stripe(publishable_key, { locale: document.documentElement.lang });
    elements = stripe.elements(options);
    const element = elements.create('payment');
    await new Promise((resolve, reject) => {
      element.on('ready', resolve);
      element.on('loaderror', reject);
      element.mount(place);
    });
    return async () => {
      if (form.elements.save?.checked) elements.update({ setupFutureUsage: 'off_session' });
      const { error } = await elements.submit();
      if (error) return;
      const made = await stripe.createConfirmationToken({ elements, params: { return_url: location.href } });
      return made.confirmationToken?.id;
    };
  };
  if (place) {
    const late = new Promise((_, reject) => setTimeout(reject, 4000));
    Promise.race([openFields(), late]).then(
      (submit) => (fields = submit),
      () => place.remove(),
    );
  }

  /* One press, one try. */
  const button = find('#pay-button');
  const busy = (is) => (is ? button.setAttribute('aria-busy', 'true') : button.removeAttribute('aria-busy'));
  if (form) {
    form.noValidate = true;
    form.addEventListener('submit', async (event) => {
      if (button.hasAttribute('aria-busy')) return event.preventDefault();
      const wrong = inputs.map((input) => [input, show(input)]).filter(([, text]) => text);
      if (wrong.length > 0) {
        event.preventDefault();
        return say(wrong, trouble.dataset.heading);
      }
      busy(true);
      if (!fields || !isNewCard() || isFree()) return;
      event.preventDefault();
      const token = await fields().catch(() => undefined);
      if (!token) return busy(false);
      find('#way').value = 'confirmation';
      find('#confirmation').value = token;
      form.submit();
    });
  }
  addEventListener('pageshow', (event) => event.persisted && location.reload());

  /* How a card is taken, but for the amount. */
  const wayOf = (page) => {
    const config = page.querySelector('#fields')?.dataset.config;
    const { amount: _, ...rest } = config ? JSON.parse(config) : {};
    return JSON.stringify([page.querySelector('[name=way]')?.id, rest, !!page.querySelector('#number')]);
  };
  const firstWay = wayOf(document);

  /* Coupon and quantity change the sums in place, so that what was typed beside them stays. */
  const change = async (changed) => {
    const answer = await fetch(location.pathname, { method: 'POST', body: new URLSearchParams(new FormData(changed)) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
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
    }
    const isOpen = find('#order')?.open;
    find('#summary').replaceChildren(...summary.childNodes);
    if (find('#order')) find('#order').open = isOpen;
    button.replaceChildren(...page.querySelector('#pay-button').childNodes);
    (find('#summary [aria-invalid]') ?? find('#summary button'))?.focus();
    live();
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

  /* The end of the session is announced two minutes before. */
  const note = find('#expiry-note');
  if (note) {
    const left = note.dataset.expires - Date.now();
    const at = (ms, act) => ms < 2 ** 31 && setTimeout(act, Math.max(0, ms));
    at(left - 120000, () => (note.textContent = note.dataset.warning));
    at(left + 1000, () => location.reload());
  }

  /* An outcome that is not known yet is asked for until it is. */
  if (find('[data-poll]')) {
    const poll = async () => {
      const answer = await fetch(location.pathname).catch(() => undefined);
      const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), 'text/html');
      const isWaiting = !page || page.querySelector('[data-poll]');
      if (isWaiting) setTimeout(poll, 2000);
      else location.reload();
    };
    setTimeout(poll, 1500);
  }
  const go = find('[data-go]');
  if (go) location.replace(go.href);
  const print = find('#print');
  if (print) {
    print.hidden = false;
    print.addEventListener('click', () => window.print());
  }
})();
