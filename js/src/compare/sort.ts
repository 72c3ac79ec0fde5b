/** The order of the rows: a trait, so that Python may set it and a saved notebook keeps it. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Model } from "../host";

const read = (model: Model): string => {
  const sort = model.get("sort");
  return typeof sort === "string" ? sort : "";
};

export function useSort(model: Model): [string, (sort: string) => void] {
  const [sort, setSort] = useState(() => read(model));
  useLayoutEffect(() => {
    const follow = () => setSort(read(model));
    model.on("change:sort", follow);
    return () => model.off("change:sort", follow);
  }, [model]);
  return [
    sort,
    (next) => {
      setSort(next);
      // A kernel that is gone must not keep the reader from sorting.
      try {
        model.set("sort", next);
        model.save_changes();
      } catch (error) {
        console.warn("paramwidget: the order could not be told to the kernel.", error);
      }
    },
  ];
}
