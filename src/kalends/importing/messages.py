"""The reasons of refusals as sentences of a report."""

from kalends.contract.errors import ApiError, FieldError


def reason_of(error: ApiError) -> str:
    """Why a record was refused."""
    problems = error.data.get("problems")
    if isinstance(problems, dict):
        return "; ".join(problem_of(name, problem) for name, problem in problems.items())
    return error.error_type.message.format(**error.arguments)


def problem_of(name: str, problem: FieldError) -> str:
    return f"{name} {sentence(problem)}"


def sentence(problem: FieldError) -> str:
    arguments = {
        key: sentence(value) if isinstance(value, FieldError) else value for key, value in problem.arguments.items()
    }
    return problem.message.format(**arguments)
