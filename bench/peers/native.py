# The native peers of bench/questions/peers.ts in one process: scikit-learn's Perceptron, LIBLINEAR as scikit-learn
# embeds it, and numpy with OpenBLAS. native.ts starts it, writes one command a line (JSON) and reads one answer a line:
#
#   {"do": "hello", "packages": ["numpy", "sklearn"]}      imports them; says which versions are there, and what is missing
#   {"do": "load", "name": N, "rows": R, "cols": C,        reads float64 rows and int8 labels of -1 and 1, or CSR rows:
#    "files": {"x" | "values", "indices", "indptr", "y"}}  values float64, indices and indptr int32; y may be left out
#   {"do": "perceptron", "on": N, "passes": P,             so many fits of exactly so many passes, rows as they come;
#    "intercept": B, "calls": K, "to": FILE}               writes weights and intercept, float64
#   {"do": "liblinear", "on": N, "intercept": B,           so many fits of LinearSVC: LIBLINEAR's -s 2 with its own
#    "calls": K}                                           tolerance; says which share of the rows it gets right
#   {"do": "gram", "on": N, "calls": K, "to": FILE}        so many times X @ X.T, which numpy gives to cblas_dsyrk
#
# Times are "ms", a list of one number a call. A command that fails is answered by {"error": why}, and the next may come.
# With the end of its input the process ends, in the middle of a command too. The caller sets OPENBLAS_NUM_THREADS
# and, if it likes, OPENBLAS_CORETYPE, which are read when numpy is imported.

import ctypes
import gc
import glob
import importlib
import json
import os
import platform
import queue
import re
import signal
import sys
import threading
import time

# Answers alone go to what was standard output: whatever a library prints goes to standard error.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once, without a traceback

loaded = {}


def hello(packages):
    versions, missing = {"python": platform.python_version()}, {}
    for name in packages:
        try:
            versions[name] = importlib.import_module(name).__version__
            if name == "sklearn":
                versions["scipy"] = importlib.import_module("scipy").__version__
                # These take the time, and are wanted soon.
                importlib.import_module("sklearn.linear_model")
                importlib.import_module("sklearn.svm")
        except ImportError as error:
            versions.pop(name, None)
            missing[name] = str(error)
    about = {"versions": versions, "missing": missing}
    if "numpy" in versions:
        about["blas"] = openblas()
    return about


def openblas():
    """The OpenBLAS in this very process: np.show_config() only knows what numpy was built with."""
    for path in openblas_paths():
        library = ctypes.CDLL(path)
        # numpy from PyPI brings an OpenBLAS whose names are changed.
        for name in ("openblas_get_%s", "openblas_get_%s64_", "scipy_openblas_get_%s", "scipy_openblas_get_%s64_"):
            if hasattr(library, name % "config"):
                return {
                    "path": path,
                    "config": text(getattr(library, name % "config")),
                    "core": text(getattr(library, name % "corename")),
                    "threads": getattr(library, name % "num_threads")(),
                }
    return {"missing": "numpy uses another BLAS than OpenBLAS"}


def openblas_paths():
    """Those in this process; where the system does not tell, those that numpy from PyPI brings along."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            return sorted(set(re.findall(r"/\S*openblas[^/\s]*\.so\S*", maps.read())))
    except OSError:
        import numpy

        home = os.path.dirname(numpy.__file__)
        folders = [os.path.join(home, ".dylibs"), os.path.join(os.path.dirname(home), "numpy.libs")]
        return sorted(path for folder in folders for path in glob.glob(os.path.join(folder, "*openblas*")))


def text(function):
    function.restype = ctypes.c_char_p
    return function().decode()


def load(name, rows, cols, files):
    import numpy as np

    y = np.fromfile(files["y"], dtype=np.int8) if "y" in files else None
    if "x" in files:
        loaded[name] = np.fromfile(files["x"], dtype=np.float64).reshape(rows, cols), y
    else:
        from scipy.sparse import csr_matrix

        values = np.fromfile(files["values"], dtype=np.float64)
        indices, indptr = (np.fromfile(files[part], dtype=np.int32) for part in ("indices", "indptr"))
        loaded[name] = csr_matrix((values, indices, indptr), shape=(rows, cols)), y
    return {}


def rows_of(name):
    if name not in loaded:
        raise ValueError(f"no rows were loaded as {name}")
    return loaded[name]


def timed(work, calls):
    """Milliseconds of each call, and what the last one gave."""
    times, result = [], None
    gc.disable()  # as timeit does
    try:
        for _ in range(calls):
            started = time.perf_counter()
            result = work()
            times.append(1000 * (time.perf_counter() - started))
    finally:
        gc.enable()
    return times, result


def perceptron(on, passes, intercept, calls, to=None):
    import numpy as np
    from sklearn.linear_model import Perceptron

    X, y = rows_of(on)
    # tol=None: no early stop; eta0 is 1 and penalty None as they come.
    model = Perceptron(max_iter=passes, tol=None, shuffle=False, fit_intercept=intercept)
    times, fitted = timed(lambda: model.fit(X, y), calls)
    if to:
        np.concatenate([fitted.coef_.ravel(), np.ravel(fitted.intercept_)]).tofile(to)
    return {"ms": times, "passes": int(fitted.n_iter_)}


def liblinear(on, intercept, calls):
    from sklearn.svm import LinearSVC

    X, y = rows_of(on)
    # dual=False: -s 2, several times faster on our sets than -s 1, scikit-learn's default.
    model = LinearSVC(C=1.0, tol=0.01, fit_intercept=intercept, dual=False)
    times, fitted = timed(lambda: model.fit(X, y), calls)
    return {"ms": times, "accuracy": float(fitted.score(X, y))}


def gram(on, calls, to=None):
    import numpy as np

    X, _ = rows_of(on)
    G = np.empty((X.shape[0], X.shape[0]))  # reused, as ours is
    times, _ = timed(lambda: np.matmul(X, X.T, out=G), calls)
    if to:
        G.tofile(to)
    return {"ms": times}


def texts(list):
    loaded["texts"] = list
    return {}


def vectorize(vectorizer, options):
    from sklearn.feature_extraction import text

    options = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    X = getattr(text, vectorizer)(**options).fit_transform(loaded["texts"])
    return {"nonZeros": X.nnz}


COMMANDS = {
    "hello": hello,
    "load": load,
    "perceptron": perceptron,
    "liblinear": liblinear,
    "gram": gram,
    "texts": texts,
    "vectorize": vectorize,
}


def answer(line):
    try:
        command = json.loads(line)
        name = command.pop("do")
        if name not in COMMANDS:
            raise ValueError(f"there is no command {name}")
        return COMMANDS[name](**command)
    except Exception as error:  # the caller is told, whatever it is
        return {"error": f"{type(error).__name__}: {error}"}


lines = queue.SimpleQueue()


def read():
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)  # nobody is left to answer


threading.Thread(target=read, daemon=True).start()
while True:
    print(json.dumps(answer(lines.get())), file=answers, flush=True)
