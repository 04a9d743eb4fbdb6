// What a browser remembers, where it may; a forbidden storage is an empty one.
function of(kind) {
  return {
    get(key) {
      try { return window[kind].getItem(key); } catch { return null; }
    },
    set(key, value) {
      try { window[kind].setItem(key, value); } catch { /* forgotten, then */ }
    },
    remove(key) {
      try { window[kind].removeItem(key); } catch { /* never was there */ }
    },
  };
}

export const local = of("localStorage");
export const session = of("sessionStorage");
